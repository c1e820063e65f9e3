public import Query

/// What makes one database's SQL different from another's; everything that they share is in ``Compiler``.
///
/// A dialect must make up for its database's own rules, so that each condition means what the query means: text compared
/// by bytes, no conversion between kinds, and nulls placed as told.
///
/// The SQL of a comparison may depend on its column, and of a value on its case and on whether the other case of a number
/// could hold it, but on nothing else: requests that differ in values alone share their SQL, see ``RequestCompiler``.
public protocol Dialect: Sendable {
  /// A table's or a column's name, quoted.
  func quoted(_ name: String) -> String

  /// The placeholder of a statement's n-th value, counted from 1.
  func placeholder(_ position: Int) -> String

  /// A value as part of the SQL itself, for definitions of tables, which have no placeholders. It is exactly this value,
  /// whatever it holds.
  func literal(_ value: Value) -> String

  /// A Boolean expression as a check of a table, which a row must not pass where the expression is null.
  func check(_ expression: String) -> String

  /// What stands in a definition for a rule of deletion, with a blank before it; empty for the database's default.
  func onDelete(_ rule: DeleteRule) -> String

  /// A column as it is compared with values, so that neither the column nor a value is converted for the comparison, and
  /// text is compared by its bytes.
  func comparand(_ column: ColumnSchema, with values: [Value]) -> String

  /// Two columns as they are compared with each other, by the same rules.
  func comparands(_ lhs: ColumnSchema, _ rhs: ColumnSchema) -> (lhs: String, rhs: String)

  /// A column as rows are sorted by it: texts by their bytes, numbers by value, nulls placed as told.
  func sortTerm(_ column: ColumnSchema, ascending: Bool, nullsFirst: Bool) -> String

  /// An aggregate of the rows of a group, exactly as the contract has it, whatever the order of the rows.
  ///
  /// - Parameters:
  ///   - function: what is worked out. A sum that can't be given is one of the texts of `AggregateFault`.
  ///   - column: of which column; `nil` for the number of rows.
  ///   - isReal: whether a sum is a real even where all numbers are integers.
  func aggregate(_ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool) -> String

  /// A column as rows are grouped by it: texts by their bytes, numbers by value, nulls as one group.
  func groupTerm(_ column: ColumnSchema) -> String

  /// The value of a column that the rows of a group share. Where they share it in several spellings, an integer and a
  /// real, it is the integer.
  func groupKey(_ column: ColumnSchema) -> String

  /// Whether a column's text matches; false or null for a null, false for a value that is no text.
  ///
  /// - Parameters:
  ///   - match: what is sought, already folded where case is ignored, and how.
  ///   - bind: adds a value to the statement and returns its placeholder.
  func matches(
    _ column: ColumnSchema, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (Value) -> String
  ) -> String

  /// What keeps the database's planner from taking a condition between parentheses apart; empty where it may. It stands
  /// before the parts of a conjunction of more than a hundred conditions.
  var planningBarrier: String { get }

  /// How many values of an `in` list may be placeholders of their own; longer lists are bound as one value.
  var inlineListCount: Int { get }

  /// What stands between the parentheses of `in (…)` for a long list that is bound as one value.
  func list(_ values: [Value], bind: (Value) -> String) -> String

  /// The part of a select that leaves rows out, with a blank before it; empty where nothing is left out.
  func range(limit: Int?, offset: Int, bind: (Value) -> String) -> String

  /// The end of an insert that replaces the row with the same key, with a blank before it.
  ///
  /// - Parameters:
  ///   - key: the quoted names of the primary key's columns.
  ///   - others: the quoted names of the other columns, which take the new row's values.
  func upsert(key: [String], others: [String]) -> String

  /// A column's type in a create statement.
  func typeName(_ column: ColumnSchema) -> String

  /// What stands after the closing parenthesis of a create statement, with a blank before it, if anything.
  var tableOptions: String { get }
}

extension Dialect {
  /// A value as the default of a column, where neither a placeholder nor an expression may stand.
  /// https://www.sqlite.org/lang_altertable.html#altertabaddcol
  ///
  /// Standard SQL's numbers, quotes and hexadecimal digits.
  func constant(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    // What is too big for a double is read as infinite.
    case .real(let real) where real.isInfinite: real < 0 ? "-9e999" : "9e999"
    case .real(let real): "\(real)"
    // A text ends at NUL for those who read SQL.
    case .text(let text) where text.utf8.contains(0): "(CAST(\(constant(.blob(Array(text.utf8)))) AS TEXT))"
    case .text(let text): Quoting.quote(text, with: "'")
    case .blob(let bytes): "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}

/// Prefixes as ranges of texts.
enum TextRange {
  /// The least text that is greater than every text with this prefix; `nil` if there is none.
  ///
  /// Texts are ordered by their bytes, and UTF-8 orders as the scalars do (RFC 3629, section 1), so the last scalar is
  /// replaced by the next one; a last scalar that has none falls off.
  static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are no scalars: after U+D7FF comes U+E000.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        scalars.append(scalar)
        var end = String.UnicodeScalarView()
        end.append(contentsOf: scalars)
        return String(end)
      }
    }
    return nil
  }
}
