import ErrorHandling
import Foundation
import Repository
import Testing

@testable import clr

@Suite("What is typed, and what is shown")
struct TerminalTests {
  private static let red = NamedColor(name: "Red", color: Color(red: 0xE6, green: 0, blue: 0x12))
  private static let shades = ColorList(
    name: "Warm & 2",
    colors: [
      red, NamedColor(name: "red", color: Color(red: 1, green: 2, blue: 3, alpha: 4)),
      NamedColor(name: "in", color: red.color), NamedColor(name: "Deep\nRed 2\u{1B}[2J", color: red.color),
      NamedColor(name: "*", color: red.color),
    ])

  @Test(
    "colors are read as CSS writes them",
    arguments: [
      ("#E60012", "#E60012"), ("e60012", "#E60012"), ("#fff", "#FFFFFF"), ("#F008", "#FF000088"),
      ("#E60012FF", "#E60012"), ("#E6001280", "#E6001280"), ("", nil), ("#", nil), ("#12345", nil), ("red", nil),
      ("##FFF", nil), ("#FF\u{300}F", nil), ("#１２３", nil), ("FFF#", nil),
    ] as [(String, String?)])
  func colors(text: String, expected: String?) {
    #expect(Color(rawValue: text)?.rawValue == expected)
  }

  /// A store with a list.
  private func lists() async throws -> ColorLists {
    let lists = try ColorLists(MemoryStore())
    try await lists.make(ColorList(name: "Brand", colors: [Self.red]))
    return lists
  }

  @Test(
    "words are commands",
    arguments: [
      ("", "1  Brand", "Brand: Red"), ("list", "1  Brand", "Brand: Red"),
      ("New Blue=#0068B7", "#0068B7  Blue", "Brand: Red, New: Blue"), ("show Brand", "#E60012  Red", "Brand: Red"),
      ("add Brand a=b=#000", "#E60012  Red\n#000000  a=b", "Brand: Red a=b"),
      ("rename Brand Marque", nil, "Marque: Red"),
      ("rename Brand Red Rouge", nil, "Brand: Rouge"), ("remove Brand", nil, ""), ("remove Brand Red", nil, "Brand: "),
      ("export Brand --format css", ":root {\n  --brand-red: #e60012;\n}", "Brand: Red"),
      ("export --format css Brand", ":root {\n  --brand-red: #e60012;\n}", "Brand: Red"),
    ] as [(String, String?, String)])
  func commands(line: String, printed: String?, kept: String) async throws {
    let lists = try await lists()
    let action = try #require(try Command(line.split(separator: " ").map(String.init)).action)
    #expect(try await action(lists, ListText(.plain, [:])) == printed)
    let all = try await lists.all().map { "\($0.name): \($0.colors.map(\.name).joined(separator: " "))" }
    #expect(all.joined(separator: ", ") == kept)
  }

  @Test(
    "a list goes to a file and comes back under another name",
    arguments: ["export Brand %", "export Brand % --format clr"])
  func files(line: String) async throws {
    let (lists, text) = (try await lists(), ListText(.plain, [:]))
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).clr").path()
    func run(_ words: String) async throws -> String? {
      let words = words.split(separator: " ").map { $0 == "%" ? path : String($0) }
      return try await Command(words).action?(lists, text)
    }
    #expect(try await run(line) == nil)
    #expect(try await run("import % Copy") == "#E60012  Red")
    #expect(try await lists.list("Copy").colors == [Self.red])
  }

  @Test("help needs no lists", arguments: ["help", "--help", "-h", "help export"])
  func help(line: String) throws {
    #expect(try Command(line.split(separator: " ").map(String.init)).action == nil)
  }

  @Test(
    "a line that means nothing is told",
    arguments: [
      ("Brand", "there is no command Brand, and a list takes colors: clr Brand Red=#E60012"),
      ("show", "show takes other words than that"), ("Brand Red", "Red is no color such as Red=#E60012"),
      ("Brand Red=#XYZ", "Red takes 3, 4, 6 or 8 hexadecimal digits, not #XYZ"),
      ("export Brand", "a .clr file is no text: clr export Brand Brand.clr"),
      ("export Brand --format png", "--format takes clr, css, swift, json, gpl"),
      ("export Brand --format", "--format takes clr, css, swift, json, gpl"),
      ("export --format css", "export takes a list and a file"), ("export A b c d", "export takes a list and a file"),
      ("export A b c d e", "export takes other words than that"), ("list --sort", "list takes other words than that"),
    ])
  func misuse(line: String, message: String) {
    let error = #expect(throws: DomainError.self) { try Command(line.split(separator: " ").map(String.init)) }
    #expect(error?.code == .invalidRequest && error?.summary == message && error?.suggestion == "try clr help")
  }

  @Test("swatches are for terminals of true color alone, and names are never commands to one")
  func shows() {
    let plain = ListText(.plain, ["COLORTERM": "truecolor"])
    #expect(
      plain.show(Self.shades) == """
        #E60012    Red
        #01020304  red
        #E60012    in
        #E60012    Deep Red 2 [2J
        #E60012    *
        """)
    #expect(plain.list([Self.shades]) == "5  Warm & 2")
    let colorful = TerminalStyle(hasColor: true, isInteractive: false)
    let colored = ListText(colorful, ["COLORTERM": "truecolor"])
    #expect(
      colored.show(ColorList(name: "", colors: [Self.red])) == "\u{1B}[48;2;230;0;18m      \u{1B}[0m  #E60012  Red")
    #expect(!ListText(colorful, [:]).hasTrueColor)
  }

  @Test("text forms name each color once, and as their languages allow")
  func exports() throws {
    #expect(
      try Format.css.text(of: Self.shades) == """
        :root {
          --warm-2-red: #e60012;
          --warm-2-red2: #01020304;
          --warm-2-in: #e60012;
          --warm-2-deep-red-2-2j: #e60012;
          --warm-2-color: #e60012;
        }
        """)
    let swift = try #require(try Format.swift.text(of: Self.shades)).split(separator: "\n").filter {
      !$0.contains(".sRGB")
    }
    #expect(
      swift == [
        "import SwiftUI", "enum Warm2 {", "  static let red = Color(", "  static let red2 = Color(",
        "  static let `in` = Color(", "  static let deepRed22j = Color(", "  static let color = Color(", "}",
      ])
    #expect(
      try #require(try Format.gpl.text(of: Self.shades)).hasPrefix(
        "GIMP Palette\nName: Warm & 2\n#\n230   0  18\tRed\n  1   2   3\tred\n"))
    #expect(try Format.json.text(of: ColorList(name: "Ä/\"", colors: []))?.contains(#""name" : "Ä/\"""#) == true)
  }
}
