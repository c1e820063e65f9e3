import Repository

/// Entries as a person reads them.
enum PokedexText {
  static func list(_ entries: [Entry]) -> String {
    if entries.isEmpty { return "No Pokémon is like that." }
    var table = TextTable([
      ("No.", .right), ("Name", .left), ("Japanese", .left), ("Type", .left), ("Height", .right), ("Weight", .right),
      ("Speed", .right), ("Habitat", .left),
    ])
    for entry in entries {
      table.append([
        "\(entry.number)", entry.name, entry.japaneseName, entry.typeNames, "\(entry.height) m",
        "\(entry.weight) kg", "\(entry.points[.speed, default: 0])", entry.habitat?.rawValue ?? "",
      ])
    }
    return table.text
  }

  static func entry(_ entry: Entry) -> String {
    var facts = TextTable([("Type", .left), (entry.typeNames, .left)])
    facts.append(["Height", "\(entry.height) m"])
    facts.append(["Weight", "\(entry.weight) kg"])
    facts.append(["Habitat", entry.habitat?.rawValue ?? "unknown"])
    facts.append(["Color", entry.color.rawValue])
    let total = entry.points.values.reduce(0, +)
    var points = TextTable([("", .left), ("", .right), ("", .left)])
    for ability in Entry.Ability.allCases {
      let count = entry.points[ability, default: 0]
      points.append([ability.rawValue, "\(count)", String(repeating: "█", count: count / 5)])
    }
    points.append(["Total", "\(total)", ""])
    let kind = entry.isLegendary ? " (legendary)" : ""
    return "No. \(entry.number)  \(entry.name)  \(entry.japaneseName)\(kind)\n\n\(facts.text)\n\(points.text)"
  }

  static func highlights(_ highlights: Highlights) -> String {
    let lists = [
      ("The heaviest", highlights.heaviest), ("The fastest that are not legendary", highlights.fastest),
      ("The legendary", highlights.legendary),
    ]
    let sections = lists.filter { !$0.1.isEmpty }.map { title, entries in "\(title)\n\n\(list(entries))" }
    return (["\(highlights.count) Pokémon"] + sections).joined(separator: "\n\n")
  }
}

extension Entry {
  fileprivate var typeNames: String { types.map(\.rawValue).joined(separator: ", ") }
}

/// The words of a command line, one after the other.
struct Words {
  private var words: ArraySlice<String>

  init(_ words: some Sequence<String>) {
    self.words = ArraySlice(Array(words))
  }

  /// The first word, if it is no option.
  mutating func nextVerb() -> String? {
    words.first?.hasPrefix("-") == false ? words.popFirst() : nil
  }

  mutating func next() -> String? { words.popFirst() }

  mutating func value(of option: String) throws(UsageError) -> String {
    guard let value = words.popFirst() else { throw UsageError("\(option) takes a value") }
    return value
  }

  mutating func number(of option: String) throws(UsageError) -> Double {
    let value = try value(of: option)
    guard let number = Double(value), !number.isNaN else { throw UsageError("\(option) takes a number, not \(value)") }
    return number
  }

  mutating func count(of option: String) throws(UsageError) -> Int {
    let value = try value(of: option)
    guard let count = Int(value), count >= 0 else { throw UsageError("\(option) takes a count, not \(value)") }
    return count
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: String
  ) throws(UsageError) -> Choice {
    let value = try value(of: option)
    guard let choice = Choice(rawValue: value.lowercased()) else {
      let choices = Choice.allCases.map(\.rawValue).sorted().joined(separator: ", ")
      throw UsageError("\(option) takes no \(value), but one of \(choices)")
    }
    return choice
  }

  mutating func parsed<Parsed>(
    of option: String, _ parse: (String) throws(ParseError) -> Parsed
  ) throws(UsageError) -> Parsed {
    let value = try value(of: option)
    do {
      return try parse(value)
    } catch {
      let suggestion = error.suggestion.map { "\n\($0)" } ?? ""
      throw UsageError("\(option) can't be read: \(error.summary)\n\(error.caret)\(suggestion)")
    }
  }
}

/// Rows of text whose columns stand below each other on a terminal.
struct TextTable {
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows = [header.map(\.0)]
  }

  mutating func append(_ row: [String]) {
    rows.append(row)
  }

  /// The header and the rows, a line each.
  var text: String {
    let widths = alignments.indices.map { column in rows.map { Self.width(of: $0[column]) }.max() ?? 0 }
    let lines = rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - Self.width(of: text))
        line += (column == 0 ? "" : "  ") + (alignments[column] == .left ? text + padding : padding + text)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return lines.joined(separator: "\n")
  }

  /// How many columns of a terminal a text takes: Japanese characters take two, accents of their own none.
  ///
  /// Source: the wide and fullwidth ranges of Unicode Standard Annex 11 that hold Japanese.
  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.value {
      case 0x300...0x36F, 0x3099...0x309A: width
      case 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF01...0xFF60: width + 2
      default: width + 1
      }
    }
  }
}
