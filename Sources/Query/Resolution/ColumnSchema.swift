/// One column of a table: its name and which values it may hold.
public struct ColumnSchema: Hashable, Sendable, Named {
  private let id: Name
  /// The type of the values.
  public let type: ValueType
  /// Whether null is allowed.
  public let isNullable: Bool
  /// Whether no two rows may hold the same value; nulls don't count as the same.
  public let isUnique: Bool
  /// Whether the store keeps an index, for queries that compare or sort by this column.
  public let isIndexed: Bool
  /// Whether the store generates the number of a row that is inserted with null.
  public let isGenerated: Bool
  /// For a table whose store does not guarantee ``type``, as most tables in SQLite: the type as it was declared, empty
  /// where there is none. `nil` where every value but null is of the type.
  public let declaredType: String?
  /// The collation by which the store compares the column's text unless told otherwise; `nil` for by bytes.
  public let collation: String?
  /// The default value: what rows hold that were there before the column was added, and rows that another program adds
  /// without naming the column. `nil` for null, and for a column that may not be left out. A default that another program declared is not read.
  public let defaultValue: Value?
  /// The format of the texts, for a column whose schema knows that they are UUIDs or dates: it holds and is compared with
  /// no other text.
  public let format: ValueFormat?
  /// The type of the database's own in which it keeps the values, if that is not one of the usual ones.
  package private(set) var storage: ColumnStorage?

  /// Describes a column.
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

  /// The column as one that a database keeps in a type of its own.
  package func kept(as storage: ColumnStorage?) -> ColumnSchema {
    var column = self
    column.storage = storage
    return column
  }

  /// The column's name, which is the key in queries.
  public var name: String { id.text }

  /// The collation of a column of a view: such a column may be any expression, which tells neither its collation nor
  /// what it converts values to.
  package static let unknownCollation = "unknown"

  /// The kinds of values, besides null, that the column may hold.
  ///
  /// Source for columns that are not strict: SQLite, "Datatypes In SQLite", section 3: a text column turns numbers into
  /// text, yet keeps blobs, and a column of any other affinity keeps what it can't convert.
  public var kinds: Set<Value.Kind> {
    guard declaredType != nil else { return type.kinds }
    return type == .text ? [.text, .blob] : ValueType.any.kinds
  }

  /// Whether every value but null is a text.
  package var holdsTextsAlone: Bool { declaredType == nil && type == .text }
}

extension ColumnSchema {
  /// A value in the form in which the column keeps it: a strict column of integers keeps 5.0 as 5, one of reals 5 as 5.0.
  ///
  /// - Throws: ``QueryError`` where the value is NaN, a null that is not allowed, or one that the column can't hold.
  public func stored(_ value: Value) throws(QueryError) -> Value {
    let stored = try storedAsType(value)
    guard let storage, !stored.isNull else { return stored }
    if let kept = storage.stored(stored) { return kept }
    throw QueryError(
      .kindMismatch, "\(name) can't hold this \(stored.kind == .number ? "number" : "text")",
      suggestion: storage.explanation)
  }

  private func storedAsType(_ value: Value) throws(QueryError) -> Value {
    if value.isNaN { throw QueryError(.invalidValue, "\(name): \(ValueError.notANumber.description)") }
    if value.isNull {
      if isNullable || isGenerated { return value }
      throw QueryError(.invalidValue, "\(name) may not be null")
    }
    if !isInFormat(value) {
      throw QueryError(
        .kindMismatch, "\(name) holds \(format?.plural ?? "values") and can't hold \(described(value))",
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
      throw QueryError(.kindMismatch, "\(name) holds \(type.plural) and can't hold this \(value.kind.rawValue)")
    }
    return stored
  }

  /// Whether a value is of the column's own type, so that it is kept as it is.
  package func isKept(_ value: Value) -> Bool { ColumnValueTest(self).keeps(value) }

  /// Whether a value is one of the column's format; true of every value where there is none.
  package func isInFormat(_ value: Value) -> Bool {
    guard let format, !value.isNull else { return true }
    if case .text(let text) = value { return format.isCanonical(text) }
    return false
  }

  /// Whether the column can be compared with a value as far as its format goes. In an order, a text has its place that
  /// others begin with.
  package func isComparable(_ relation: Relation, with value: Value) -> Bool {
    guard let format, case .text(let text) = value else { return true }
    return !relation.isEquality && format.isBeginning(text) || format.isCanonical(text)
  }

  /// What a value is that is not of the column's format.
  func described(_ value: Value) -> String {
    format?.otherForm(of: value)?.phrase ?? "this \(value.kind.rawValue)"
  }

  /// How a value has to be written.
  var formatSuggestion: String? { format.map { "write it like \($0.example)" } }
}

extension ValueType {
  fileprivate var plural: String { self == .any ? "values" : "\(rawValue)s" }
}

/// Which values a column keeps as they are: those of its own type.
package struct ColumnValueTest: Sendable {
  private let type: ValueType
  private let isNullable: Bool
  /// Whether the database has a type of its own for the values, which may hold fewer.
  private let isNarrower: Bool

  package init(_ column: ColumnSchema) {
    type = column.type
    isNarrower = column.storage != nil
    isNullable = column.isNullable || column.isGenerated
  }

  /// Whether a value is kept as it is.
  package func keeps(_ value: Value) -> Bool {
    if isNarrower { return isNullable && value.isNull }
    return switch (type, value) {
    case (.integer, .integer), (.text, .text), (.blob, .blob): true
    case (.real, .real(let real)): !real.isNaN
    case (_, .null): isNullable
    default: false
    }
  }
}
