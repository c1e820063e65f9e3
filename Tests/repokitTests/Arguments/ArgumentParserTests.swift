import Testing
@testable import repokit

@Suite("Arguments")
struct ArgumentParserTests {
  private static let sort = OptionDescription(name: "--sort", value: "SORT", help: "")
  private static let limit = OptionDescription(name: "--limit", value: "N", help: "")
  private static let append = OptionDescription(name: "--append", help: "", excluded: ["--upsert"])
  private static let upsert = OptionDescription(name: "--upsert", help: "", excluded: ["--append"])
  private static let key = OptionDescription(
    name: "--key", value: "K", help: "", excluded: ["--upsert"], exclusionReason: "because")
  private static let from = PositionalDescription(name: "FROM", help: "")
  private static let to = PositionalDescription(name: "TO", help: "", isOptional: true)

  static let command = CommandDescription(
    name: "move", summary: "", examples: [], positionals: [from, to], options: [sort, limit, append, upsert, key])

  private static let sum = OptionDescription(name: "--sum", letter: "-s", value: "K", help: "", isRepeatable: true)
  private static let count = OptionDescription(name: "--count", letter: "-c", help: "")
  private static let keys = PositionalDescription(name: "KEY=VALUE", help: "", isRepeated: true)
  static let group = CommandDescription(
    name: "group", summary: "", examples: [], positionals: [from, keys], options: [sum, count])

  static func parse(_ words: [String]) throws(Failure) -> Arguments {
    try ArgumentParser.parse(words[...], for: command)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: [String]
    var from = "a"
    var to: String?
    var sort: String?
    var limit: String?
    var isAppending = false

    init(
      _ name: String, _ words: [String], from: String = "a", to: String? = nil, sort: String? = nil,
      limit: String? = nil, isAppending: Bool = false
    ) {
      testDescription = name
      self.words = words
      (self.from, self.to, self.sort, self.limit, self.isAppending) = (from, to, sort, limit, isAppending)
    }
  }

  @Test(
    "are sorted out",
    arguments: [
      Case("one", ["a"]),
      Case("two", ["a", "b"], to: "b"),
      Case("option after", ["a", "--sort", "name"], sort: "name"),
      Case("option before", ["--sort", "name", "a"], sort: "name"),
      Case("option between", ["a", "--sort", "name", "b"], to: "b", sort: "name"),
      Case("option with an equals sign", ["a", "--sort=name"], sort: "name"),
      Case("value with an equals sign", ["a", "--sort=a=b"], sort: "a=b"),
      Case("value that starts with a dash", ["a", "--sort", "-weight,name"], sort: "-weight,name"),
      Case("the same after an equals sign", ["a", "--sort=-weight,name"], sort: "-weight,name"),
      Case("value that is -h", ["a", "--sort", "-h"], sort: "-h"),
      Case("negative number", ["a", "--limit", "-1"], limit: "-1"),
      Case("empty value", ["a", "--sort="], sort: ""),
      Case("empty value of its own", ["a", "--sort", ""], sort: ""),
      Case("value that is an option", ["a", "--sort=--limit"], sort: "--limit"),
      Case("value that looks like an unknown option", ["a", "--sort", "--wight"], sort: "--wight"),
      Case("flag", ["--append", "a"], isAppending: true),
      Case("dash alone", ["-"], from: "-"),
      Case("end of options", ["--", "--sort", "-h"], from: "--sort", to: "-h"),
      Case("end of options twice", ["--", "--"], from: "--"),
      Case("optional one may be empty", ["a", ""], to: ""),
    ])
  func sorting(_ sample: Case) throws {
    let arguments = try Self.parse(sample.words)
    #expect(arguments[Self.from] == sample.from)
    #expect(arguments[Self.to] == sample.to)
    #expect(arguments[Self.sort] == sample.sort)
    #expect(arguments[Self.limit] == sample.limit)
    #expect(arguments.has(Self.append) == sample.isAppending)
    #expect(!arguments.wantsHelp)
  }

  @Test("of one name are gathered, in their order among those of others")
  func repetition() throws {
    let words = ["-s", "a", "x", "--count", "y=1", "--sum=b", "--", "--z"]
    let arguments = try ArgumentParser.parse(words[...], for: Self.group)
    #expect(arguments.all(Self.sum) == ["a", "b"])
    #expect(arguments.all(Self.keys) == ["y=1", "--z"])
    #expect(arguments.inOrder([Self.count, Self.sum]).map(\.option.name) == ["--sum", "--count", "--sum"])
    #expect(arguments.inOrder([Self.count, Self.sum]).map(\.value) == ["a", "", "b"])
    #expect(Self.group.usageWords.joined(separator: " ") == "repokit group FROM KEY=VALUE… [--sum K …] [--count]")
    #expect(Self.group.help.contains("\n  -s, --sum K "))
  }

  @Test("of a repeated kind may not be missing, unless they are optional")
  func missingRepetition() {
    let failure = #expect(throws: Failure.self) { try ArgumentParser.parse(["a"], for: Self.group) }
    #expect(failure?.summary == "KEY=VALUE is missing")
  }

  @Test(
    "are refused",
    arguments: [
      ([], ["FROM is missing"]),
      (["--append"], ["FROM is missing"]),
      ([""], ["FROM is empty"]),
      (["a", "b", "c"], ["unexpected argument \"c\"", "put TO in quotes to make it one argument"]),
      (["a", "--srot", "x"], ["unknown option --srot", "did you mean --sort?"]),
      (["a", "--zzzzzzzz"], ["unknown option --zzzzzzzz"]),
      (["a", "-x"], ["unknown option -x"]),
      (["a", "--sort"], ["--sort needs a value"]),
      (["a", "--sort", "--limit", "3"], ["--sort needs a value"]),
      (["a", "--sort", "--limit=3"], ["--sort needs a value"]),
      (["a", "--sort", "--"], ["--sort needs a value"]),
      (["a", "--sort", "x", "--sort", "x"], ["--sort is given twice"]),
      (["a", "--append", "--append"], ["--append is given twice"]),
      (["a", "--append=yes"], ["--append takes no value"]),
      (["a", "--append", "--upsert"], ["--append and --upsert can't be combined"]),
      (["a", "--upsert", "--append"], ["--append and --upsert can't be combined"]),
      (["a", "--upsert", "--key", "id"], ["--key and --upsert can't be combined", "because"]),
    ] as [([String], [String])])
  func refusal(words: [String], message: [String]) {
    let failure = #expect(throws: Failure.self) { try Self.parse(words) }
    #expect(failure?.status == .usageError)
    #expect(failure?.summary == message[0])
    let usage = [
      "usage: repokit move FROM [TO] [--sort SORT] [--limit N] [--append | --upsert]", "    [--key K]",
    ]
    #expect(failure?.details == Array(message.dropFirst()) + usage)
  }

  @Test("ask for help", arguments: [["-h"], ["--help"], ["a", "--help"], ["a", "b", "-h", "c", "d"]])
  func help(words: [String]) throws {
    #expect(try Self.parse(words).wantsHelp)
  }

  @Test("give whole numbers", arguments: [("0", 0), ("12", 12), ("-1", -1), ("9223372036854775807", Int.max)])
  func integers(text: String, integer: Int) throws {
    #expect(try Self.parse(["a", "--limit", text]).integer(Self.limit) == integer)
  }

  @Test(
    "give no whole numbers",
    arguments: [
      ("", "--limit: \"\" is not a whole number"), ("ten", "--limit: \"ten\" is not a whole number"),
      ("1.5", "--limit: \"1.5\" is not a whole number"), ("1 ", "--limit: \"1 \" is not a whole number"),
      ("9223372036854775808", "--limit: \"9223372036854775808\" is too large"),
    ])
  func noInteger(text: String, message: String) throws {
    let arguments = try Self.parse(["a", "--limit", text])
    let failure = #expect(throws: Failure.self) { try arguments.integer(Self.limit) }
    #expect(failure?.summary == message)
  }

  @Test(
    "list names",
    arguments: [
      ("id", ["id"]), ("id,name", ["id", "name"]), ("id, name ", ["id", "name"]), ("a b", ["a b"]),
      ("\"a,b\",c", ["a,b", "c"]), ("\" a\"", [" a"]), ("\"a\"\"b\"", ["a\"b"]), ("a, \"b,\" ,c", ["a", "b,", "c"]),
      ("\"\"\"\"", ["\""]), ("a\"b", ["a\"b"]), ("a\"b,c", ["a\"b", "c"]),
      ("coalesce(a, b), c", ["coalesce(a, b)", "c"]),
      ("if(a = ',(', 1, 2),\"a b\" / 2", ["if(a = ',(', 1, 2)", "\"a b\" / 2"]),
      ("a(,b", ["a(", "b"]), ("it's,b)", ["it's", "b)"]), ("名前", ["名前"]),
    ])
  func names(text: String, names: [String]) throws {
    #expect(try Self.parse(["a", "--sort", text]).names(Self.sort) == names)
  }

  @Test(
    "list no names",
    arguments: [
      ("", "--sort: \"\" is not a list of names"), ("a,", "--sort: \"a,\" is not a list of names"),
      (",", "--sort: \",\" is not a list of names"), ("\"\"", "--sort: \"\"\"\" is not a list of names"),
      ("\"a", "--sort: \"\"a\" is not a list of names"), ("\"a\"b", "--sort: \"\"a\"b\" is not a list of names"),
      ("a,b,a", "--sort: a is given twice"),
    ])
  func noNames(text: String, message: String) throws {
    let arguments = try Self.parse(["a", "--sort", text])
    let failure = #expect(throws: Failure.self) { try arguments.names(Self.sort) }
    #expect(failure?.summary == message)
  }

  @Test("choose one of several words")
  func choice() throws {
    #expect(try Self.parse(["a", "--sort", "memory"]).choice(Self.sort, of: Engine.self) == .memory)
    #expect(try Self.parse(["a"]).choice(Self.sort, of: Engine.self) == nil)
  }

  @Test(
    "choose a word that is none of them",
    arguments: [("memroy", "did you mean memory?"), ("x", "the choices are database, memory")])
  func wrongChoice(text: String, suggestion: String) throws {
    let arguments = try Self.parse(["a", "--sort", text])
    let failure = #expect(throws: Failure.self) { try arguments.choice(Self.sort, of: Engine.self) }
    #expect(failure?.summary == "--sort: invalid value \"\(text)\"")
    #expect(failure?.details.first == suggestion)
  }
}

@Suite("An option with optional words")
struct OptionalWordTests {
  private static let chart = OptionDescription(
    name: "--chart", help: "Draws.", optionalWords: ["bars", "ascii"])
  private static let command = CommandDescription(
    name: "draw", summary: "Draws.", examples: [],
    positionals: [
      PositionalDescription(name: "A", help: "One."), PositionalDescription(name: "B", help: "Two.", isOptional: true),
    ], options: [chart, OptionDescription(name: "--count", help: "Counts.")])

  @Test(
    "takes the word after it only where that is one of them",
    arguments: [
      (["x"], nil, "x", nil), (["x", "--chart"], "", "x", nil), (["--chart", "x"], "", "x", nil),
      (["x", "--chart", "--count"], "", "x", nil), (["x", "--chart", "bars"], "bars", "x", nil),
      (["x", "--chart", "bars", "y"], "bars", "x", "y"), (["--chart=bars", "bars"], "bars", "bars", nil),
      (["x", "--", "--chart"], nil, "x", "--chart"), (["x", "--chart", "--", "ascii"], "", "x", "ascii"),
    ] as [([String], String?, String, String?)])
  func words(words: [String], word: String?, first: String, second: String?) throws {
    let arguments = try ArgumentParser.parse(words[...], for: Self.command)
    #expect(arguments[Self.chart] == word)
    #expect(arguments[Self.command.positionals[0]] == first)
    #expect(arguments[Self.command.positionals[1]] == second)
  }

  @Test("is shown with them in brackets, as none has to stand there")
  func usage() {
    #expect(Self.command.usageWords.contains("[--chart [bars | ascii]]"))
    #expect(Self.chart.heading == "--chart [bars | ascii]")
  }
}
