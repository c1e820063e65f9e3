/// A column of a table: its name and the values that it may hold.
public struct ColumnSchema: Hashable, Sendable, Named {
  private var id: Name
  /// The type of the values.
  public let type: ValueType
  /// Whether null is allowed.
  public internal(set) var isNullable: Bool
  /// Whether no two rows may hold the same value; nulls are not equal in this respect.
  public internal(set) var isUnique: Bool
  /// Whether the store maintains an index, for queries that compare or sort by this column.
  public internal(set) var isIndexed: Bool
  /// Whether the store generates a number for a row that is inserted with null.
  public internal(set) var isGenerated: Bool
  /// The declared type, for a table whose store does not guarantee ``type``, as for most tables in SQLite; empty if none is
  /// declared. `nil` if every value but null is of the type.
  public private(set) var declaredType: String?
  /// The collation by which the store compares the column's text by default; `nil` for the order of bytes.
  public let collation: String?
  /// The value of rows that are older than the column, and of rows that another program inserts without naming the column.
  ///
  /// It is `nil` for null, and for a column that every insert has to name. A default that another program declared is not
  /// read.
  public internal(set) var defaultValue: Value?
  /// The format of the texts, for a column whose schema declares them as UUIDs, dates or decimals: the column holds and is
  /// compared with no other text.
  public private(set) var format: ValueFormat?
  /// The database's own type in which it stores the values, if that is not the usual one for ``type``.
  package private(set) var nativeType: NativeColumnType?
  private var content = Content()

  /// Whether a path leads into the column's values, as texts of JSON.
  package var mayHoldJSON: Bool { content.mayBeJSON }

  /// The form in which the column holds dates as numbers, which functions of dates read; `nil` where it does not.
  package var dateForm: NumericDateForm? { content.dates }

  /// What the database makes of values by the declared type; `nil` if it stores each as it is.
  package var affinity: ColumnAffinity? { content.affinity }

  /// Whether the database stores reals of four bytes, which have fewer digits.
  package var holdsSingles: Bool { content.areSingles }

  /// Makes the description of a column.
  public init(
    _ name: String, _ type: ValueType, isNullable: Bool = false, isUnique: Bool = false, isIndexed: Bool = false,
    isGenerated: Bool = false, declaredType: String? = nil, collation: String? = nil, defaultValue: Value? = nil,
    format: ValueFormat? = nil
  ) {
    id = Name(name)
    self.type = type
    self.isNullable = isNullable
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.isGenerated = isGenerated
    self.declaredType = declaredType
    self.collation = collation
    self.defaultValue = defaultValue == .null ? nil : defaultValue
    self.format = format
  }

  /// Returns the column as a path leads to it: nullable, since there may be no row.
  package func joined(_ name: String) -> ColumnSchema {
    var column = self
    column.id = Name(name)
    (column.isNullable, column.isUnique, column.isIndexed, column.isGenerated) = (true, false, false, false)
    column.defaultValue = nil
    return column
  }

  /// The same column, whose values the store generates.
  package var generated: ColumnSchema {
    var column = self
    (column.isGenerated, column.isNullable, column.defaultValue) = (true, false, nil)
    return column
  }

  /// Returns the column as one that a database stores in its own type.
  package func stored(as nativeType: NativeColumnType?) -> ColumnSchema {
    var column = self
    column.nativeType = nativeType
    return column
  }

  /// Returns the native type of the column if a database has it as another column: one that is only shown remains that.
  package func nativeType(storedAs found: ColumnSchema?) -> NativeColumnType? {
    nativeType == .shown ? .shown : found?.nativeType?.holding(format)
  }

  /// Returns the column as one into whose values a path leads, as texts of JSON.
  @usableFromInline
  package func holdingJSON(_ mayBeJSON: Bool = true) -> ColumnSchema {
    var column = self
    column.content.mayBeJSON = mayBeJSON
    return column
  }

  /// Returns the column as one whose texts have a format.
  func holdingTexts(in format: ValueFormat?) -> ColumnSchema {
    var column = self
    column.format = format
    return column
  }

  /// Returns the column as one that holds dates as numbers.
  package func holdingDates(as form: NumericDateForm?) -> ColumnSchema {
    var column = self
    column.content.dates = form
    return column
  }

  /// Returns the column as one in which a database makes other values of some.
  package func storing(by affinity: ColumnAffinity?) -> ColumnSchema {
    var column = self
    column.content.affinity = affinity
    return column
  }

  /// Returns the column as one that holds reals of four bytes.
  package func holdingSingles(_ areSingles: Bool) -> ColumnSchema {
    var column = self
    column.content.areSingles = areSingles
    return column
  }

  /// The same column, without the promise that its values are of its type: it may be compared with any value.
  package var acceptingAnyValue: ColumnSchema {
    var column = self
    column.declaredType = declaredType ?? ""
    return column
  }

  /// The content of a column, as far as the database knows nothing of it: two columns do not differ by that.
  private struct Content: Hashable {
    var mayBeJSON = false
    var areSingles = false
    var dates: NumericDateForm?
    var affinity: ColumnAffinity?

    static func == (_: Content, _: Content) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// The column's name, which is the key in queries.
  public var name: String { id.text }

  /// The collation of a column of a view: such a column may be any expression, whose collation and affinity are not known.
  package static let unknownCollation = "unknown"

  /// The kinds of values, besides null, that the column may hold.
  ///
  /// Source for columns that are not strict: SQLite, "Datatypes In SQLite", section 3: a text column converts numbers to
  /// text, but stores blobs unchanged, and a column of any other affinity stores what it can't convert.
  public var kinds: Set<Value.Kind> {
    guard declaredType != nil else { return type.kinds }
    return type == .text ? [.text, .blob] : ValueType.any.kinds
  }

  /// Whether every value but null is a text.
  package var holdsTextsAlone: Bool { declaredType == nil && type == .text }
}

extension ColumnSchema {
  /// Returns a value in the form in which the column stores it: a strict column of integers stores 5.0 as 5, and a strict
  /// column of reals stores 5 as 5.0.
  ///
  /// - Throws: ``QueryError`` if the value is NaN, a null that is not allowed, or one that the column can't hold.
  public func stored(_ value: Value) throws(QueryError) -> Value {
    let stored = try storedByAffinity(try storedAsType(value))
    guard let nativeType, !stored.isNull else { return stored }
    if let kept = nativeType.stored(stored) { return kept }
    throw QueryError(
      .kindMismatch,
      "\(VisibleText.name(name)) can't store this \(stored.kind == .number || nativeType.isNumeric ? "number" : "text")",
      suggestion: nativeType.explanation)
  }

  /// Returns a value as the database stores it by the declared type.
  private func storedByAffinity(_ value: Value) throws(QueryError) -> Value {
    guard let affinity, !affinity.keeps(value) else { return value }
    if let stored = affinity.stored(value) { return stored }
    let isText = value.kind == .text
    let made = affinity == .text ? "a text" : isText ? "a number" : "another number"
    throw QueryError(
      .kindMismatch, "\(VisibleText.name(name)) can't keep this \(isText ? "text" : "number")",
      reason: "the column is \(declaredType.map { "declared \($0)" } ?? "not strict"), and SQLite would store \(made)",
      suggestion: affinity.advice(insteadOf: value))
  }

  private func storedAsType(_ value: Value) throws(QueryError) -> Value {
    let value = formatted(value)
    if value.isNaN {
      throw QueryError(.invalidValue, "\(VisibleText.name(name)): \(ValueError.notANumber.description)")
    }
    if value.isNull {
      if isNullable || isGenerated { return value }
      throw QueryError(.invalidValue, "\(VisibleText.name(name)) may not be null")
    }
    if !isInFormat(value) {
      throw QueryError(
        .kindMismatch,
        "\(VisibleText.name(name)) stores \(format?.plural ?? "values") and can't store \(described(value))",
        suggestion: formatSuggestion)
    }
    guard declaredType == nil, !isKept(value) else { return value }
    let stored: Value? =
      switch (type, value) {
      case (.integer, .real(let real)): Int64(exactly: real).map(Value.integer)
      case (.real, .integer(let integer)): Double(exactly: integer).map(Value.real)
      default: type.kinds.contains(value.kind) ? value : nil
      }
    guard let stored else {
      throw QueryError(
        .kindMismatch, "\(VisibleText.name(name)) stores \(type.plural) and can't store this \(value.kind.rawValue)")
    }
    return stored
  }

  /// Returns whether a value is of the column's own type, so that it is stored unchanged.
  package func isKept(_ value: Value) -> Bool { ColumnValueTest(self).keeps(value) }

  /// Returns whether a value is in the column's format; true of every value if the column has no format.
  package func isInFormat(_ value: Value) -> Bool {
    guard let format, !value.isNull else { return true }
    if case .text(let text) = value { return format.isCanonical(text) }
    return false
  }

  /// Returns whether the column can be compared with a value in respect of its format. For order, a prefix of a text in the
  /// format is enough.
  package func isComparable(_ comparisonOperator: ComparisonOperator, with value: Value) -> Bool {
    // A number has to be converted to the text of a decimal first.
    guard let format, case .text(let text) = value else { return format != .decimal || value.kind != .number }
    return !comparisonOperator.isEquality && format.isBeginning(text) || format.isCanonical(text)
  }

  /// Returns a value in the column's format, if it can be converted: numbers, and texts of numbers, become decimals.
  func formatted(_ value: Value) -> Value {
    guard format == .decimal else { return value }
    return value.decimalText.map(Value.text) ?? value
  }

  /// Whether the texts of the column are decimals, which only the library reads.
  var isDecimal: Bool { format == .decimal }

  /// The description of a value that is not in the column's format.
  func described(_ value: Value) -> String {
    if format == .decimal, case .real = value { return "a real with more than 15 significant digits" }
    return format?.otherForm(of: value)?.phrase ?? "this \(value.kind.rawValue)"
  }

  /// The advice how to write a value in the format.
  var formatSuggestion: String? {
    format.map {
      "write a value such as \($0.spelling)"
        + ($0 == .decimal ? ", with more digits as text: '0.1234567890123456'" : "")
    }
  }
}

extension ValueType {
  fileprivate var plural: String { self == .any ? "values" : self == .text ? "text" : "\(rawValue)s" }
}

/// A test of whether a column stores a value unchanged, because the value is of the column's own type.
package struct ColumnValueTest: Sendable {
  private let type: ValueType
  private let isNullable: Bool
  /// Whether the database has its own type for the values, with a narrower range.
  private let isNarrower: Bool
  private let affinity: ColumnAffinity?

  package init(_ column: ColumnSchema) {
    type = column.type
    isNarrower = column.nativeType != nil
    affinity = column.affinity
    isNullable = column.isNullable || column.isGenerated
  }

  /// Returns whether a value is stored unchanged.
  package func keeps(_ value: Value) -> Bool {
    if isNarrower { return isNullable && value.isNull }
    if let affinity, !affinity.keeps(value) { return false }
    return switch (type, value) {
    case (.integer, .integer), (.text, .text), (.blob, .blob): true
    case (.real, .real(let real)): !real.isNaN
    case (_, .null): isNullable
    default: false
    }
  }
}
