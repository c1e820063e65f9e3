import Query
import SQLInspection

/// A column as a command line describes it: `price real required default 0`.
struct ColumnDefinition {
  static let note = Note.list(
    "Columns",
    [
      ("\"name text\"", "a name and a type: integer, real, text, blob or any"),
      (
        "\"id integer key\"",
        "part of the primary key; the database generates the values of a single integer key"
      ),
      ("\"name text required\"", "never null"),
      ("\"email text unique\"", "unique values, but any number of nulls"),
      ("\"born text indexed\"", "with an index"),
      ("\"price real default 0\"", "the default for new rows: a number, a 'text', true or false"),
      ("\"added text default now\"", "the time when the row is inserted, in UTC"),
      ("\"total real computed as price * count\"", "the database computes the value from other columns; comes last"),
      (
        "\"album integer references album\"",
        "refers to a row of that table by key, or by .COLUMN; add on delete cascade or on delete set null"
      ),
      ("'\"first name\" text'", "a name with spaces or symbols"),
    ])

  let name: String
  let type: ValueType
  private(set) var isKey = false
  private var isRequired = false
  private var isUnique = false
  private var isIndexed = false
  private var defaultValue: Value?
  /// A default or an expression that a column's schema does not have.
  private(set) var clause: ColumnClause?
  private(set) var reference: ReferenceTarget?

  /// - Throws: ``Failure`` where the words don't describe a column.
  init(_ text: String, for command: CommandDescription) throws(Failure) {
    func fail(_ problem: String, _ suggestion: String?) -> Failure {
      command.usageError("column \(TerminalText.quoted(text)): \(problem)", suggestion: suggestion)
    }
    var words = QuotedWords(text)
    guard let name = words.next()?.text, !name.isEmpty else {
      throw fail("a column needs a name and a type", "write both as one argument: \"name text\"")
    }
    self.name = name
    guard let word = words.next()?.text else { throw fail("the type is missing", "write \"\(name) text\"") }
    guard let type = ValueType(rawValue: Self.habits[word.lowercased()] ?? word.lowercased()) else {
      throw fail("unknown type \(word)", .among(ValueType.allCases.map(\.rawValue), nearestTo: word))
    }
    self.type = type
    while let word = words.next() {
      switch word.text.lowercased() {
      case "key": isKey = true
      case "required": isRequired = true
      case "unique": isUnique = true
      case "indexed": isIndexed = true
      case "default" where words.take("now"):
        guard type == .text else {
          throw fail("the default now is a text", "write \"\(name) text default now\"")
        }
        clause = .currentTime
      case "computed":
        guard words.take("as"), let text = words.takeRest() else {
          throw fail("the expression is missing", "write computed as and an expression, such as price * count")
        }
        do throws(ParseError) {
          clause = .computed(try AnyExpression(parsing: text))
        } catch {
          throw fail("invalid expression: \(error.summary)", error.suggestion)
        }
      case "default":
        let word = words.next()
        guard let value = word?.value else {
          if let word, word.quote == nil, let error = Self.numberError(word.text) {
            throw fail("invalid default: \(error.summary)", error.suggestion)
          }
          throw fail(
            "the default is missing or is not a value", "write a number, or text in single quotes: default 'new'")
        }
        defaultValue = value
      case "references":
        reference = try ReferenceTarget(&words, fail)
      case "on" where reference != nil && words.take("delete"):
        reference?.onDelete = try ReferenceTarget.deleteRule(&words, fail)
      default:
        throw fail(
          "unexpected word \(TerminalText.quoted(word.text))",
          .among(
            ["key", "required", "unique", "indexed", "default", "computed", "references"], nearestTo: word.text))
      }
    }
    if case .computed = clause, isKey || defaultValue != nil || reference != nil {
      throw fail("a computed column can't be a key or a reference, or have a default", nil)
    }
  }

  /// The error in a number; `nil` for what is none.
  private static func numberError(_ text: String) -> ParseError? {
    guard text.first?.isNumber == true || text.hasPrefix("-") else { return nil }
    do throws(ParseError) {
      _ = try AnyExpression(parsing: text)
      return nil
    } catch {
      return error
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
}

/// The target of a reference as a command line says it: `album.code on delete cascade`.
struct ReferenceTarget {
  let table: String
  /// The column there where it is not the key.
  let column: String?
  fileprivate(set) var onDelete = DeleteRule.restrict

  /// Reads the words of a reference, as far as they go.
  ///
  /// - Throws: what `fail` makes of a problem and a suggestion.
  init(_ words: inout QuotedWords, _ fail: (String, String?) -> Failure) throws(Failure) {
    guard let (table, column) = words.path() else {
      throw fail("the referenced table is missing", "write TABLE or TABLE.COLUMN")
    }
    (self.table, self.column) = (table, column)
    if words.take("on", "delete") { onDelete = try Self.deleteRule(&words, fail) }
  }

  /// Returns the rule that follows `on delete`.
  fileprivate static func deleteRule(
    _ words: inout QuotedWords, _ fail: (String, String?) -> Failure
  ) throws(Failure) -> DeleteRule {
    if words.take("cascade") { return .cascade }
    if words.take("set", "null") { return .setNull }
    if words.take("restrict") { return .restrict }
    throw fail("the rule after on delete is missing", "write on delete cascade, set null or restrict")
  }
}
