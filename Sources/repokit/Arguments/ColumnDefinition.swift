import Query

/// A column as a command line describes it: `price real required default 0`.
struct ColumnDefinition {
  static let note = Note.list(
    "Columns",
    [
      ("\"name text\"", "a name and a type: integer, real, text, blob or any"),
      (
        "\"id integer key\"",
        "what identifies a row; numbers are given where it is one integer; several columns may be one key"
      ),
      ("\"name text required\"", "may not be null"),
      ("\"email text unique\"", "no two rows have the same; null is no value"),
      ("\"born text indexed\"", "with an index"),
      ("\"price real default 0\"", "what a row holds that is added without it: a number, a 'text', true or false"),
      (
        "\"album integer references album\"",
        "a row of that table, by its key, or by .COLUMN; on delete cascade and on delete set null say what becomes of this row"
      ),
      ("'\"first name\" text'", "a name that is no plain word"),
    ])

  let name: String
  let type: ValueType
  private(set) var isKey = false
  private var isRequired = false
  private var isUnique = false
  private var isIndexed = false
  private var defaultValue: Value?
  /// The table that it refers to, and the column there where it is not the key.
  private(set) var reference: (table: String, column: String?, onDelete: DeleteRule)?

  /// - Throws: ``Failure`` where the words don't describe a column.
  init(_ text: String, for command: CommandDescription) throws(Failure) {
    func fail(_ problem: String, _ suggestion: String?) -> Failure {
      command.usageError("\(TerminalText.quoted(text)): \(problem)", suggestion: suggestion)
    }
    var words = Self.words(of: text)[...]
    guard let name = words.popFirst()?.text, !name.isEmpty else {
      throw fail("a column has a name and a type", "write them as one argument: \"name text\"")
    }
    self.name = name
    guard let word = words.popFirst()?.text else { throw fail("the type is missing", "write \"\(name) text\"") }
    guard let type = ValueType(rawValue: Self.habits[word.lowercased()] ?? word.lowercased()) else {
      throw fail("\(word) is no type", .among(ValueType.allCases.map(\.rawValue), nearestTo: word))
    }
    self.type = type
    while let word = words.popFirst() {
      switch word.text.lowercased() {
      case "key": isKey = true
      case "required": isRequired = true
      case "unique": isUnique = true
      case "indexed": isIndexed = true
      case "default":
        guard let value = words.popFirst().flatMap({ $0.value }) else {
          throw fail("the default is missing, or no value", "write a number, or a text in single quotes: default 'new'")
        }
        defaultValue = value
      case "references":
        guard let target = words.popFirst()?.text else { throw fail("the table that it refers to is missing", nil) }
        let parts = target.split(separator: ".", maxSplits: 1).map(String.init)
        reference = (parts[0], parts.count > 1 ? parts[1] : nil, .restrict)
      case "on" where reference != nil && words.first?.text.lowercased() == "delete":
        words.removeFirst()
        switch words.popFirst()?.text.lowercased() {
        case "cascade": reference?.onDelete = .cascade
        case "restrict": reference?.onDelete = .restrict
        case "set" where words.popFirst()?.text.lowercased() == "null": reference?.onDelete = .setNull
        default: throw fail("`on delete` lacks its rule", "write on delete cascade, set null or restrict")
        }
      default:
        throw fail(
          "\(word.text) is no word of a column",
          .among(["key", "required", "unique", "indexed", "default", "references"], nearestTo: word.text))
      }
    }
  }

  /// The column of a table.
  ///
  /// - Parameter isNumbered: whether the database numbers the rows by it.
  func schema(isNumbered: Bool = false) -> ColumnSchema {
    ColumnSchema(
      name, type, isNullable: !isKey && !isRequired, isUnique: isUnique && !isKey, isIndexed: isIndexed,
      isGenerated: isNumbered, defaultValue: defaultValue)
  }

  private static let habits = [
    "int": "integer", "bigint": "integer", "boolean": "integer", "bool": "integer", "float": "real", "double": "real",
    "varchar": "text", "string": "text", "bytea": "blob",
  ]

  private struct Word {
    let text: String
    let quote: Character?

    /// The value that the text represents.
    var value: Value? {
      switch quote {
      case "'": .text(text)
      case nil where text == "true": .integer(1)
      case nil where text == "false": .integer(0)
      case nil: Value(literal: text)
      default: nil
      }
    }
  }

  /// The words between blanks; one in single or double quotes may contain blanks.
  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var rest = text[...]
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        rest.removeFirst()
        var word = ""
        while let character = rest.popFirst() {
          if character != first {
            word.append(character)
          } else if rest.first == first {
            word.append(rest.removeFirst())
          } else {
            break
          }
        }
        words.append(Word(text: word, quote: first))
      } else {
        let word = rest.prefix { $0 != " " }
        rest = rest[word.endIndex...]
        words.append(Word(text: String(word), quote: nil))
      }
    }
    return words
  }
}
