import Query
import Repository
import SQL
import SQLStore

/// A column of a table or a view, as described by the system tables.
struct TableColumn {
  let name: String
  /// The type as it was declared, with its length, such as `numeric(10,2)`.
  let declaredType: String
  /// The type; for a domain the underlying one.
  let type: TypeID
  /// Whether the column is not nullable, possibly because of its domain.
  let isNotNull: Bool
  /// Whether the values are computed from other columns.
  let isComputed: Bool
  /// Whether the column gets a value when an insert omits it.
  let hasDefault: Bool
  /// Whether the default is taken from a sequence of the column's own, as for identity columns and `serial` ones.
  let hasSequence: Bool
  /// The collation; `nil` for one that orders by bytes, and for a type that has none.
  let collation: String?
  /// The type modifier, such as the number of digits; -1 for none.
  /// https://www.postgresql.org/docs/15/catalog-pg-attribute.html
  private let modifier: Int32
  /// The name of the type, if it is not built in.
  private let typeName: String?
  let isEnumeration: Bool

  fileprivate init(_ row: some PreparedStatement) {
    name = row.text(0)
    declaredType = row.text(1)
    type = TypeID(UInt32(truncatingIfNeeded: row.integer(2)))
    isNotNull = row.integer(3) == 1
    isComputed = row.integer(4) == 1
    hasDefault = row.integer(5) == 1
    hasSequence = row.integer(6) == 1
    collation = row.text(at: 7)
    modifier = Int32(truncatingIfNeeded: row.integer(8))
    typeName = row.text(at: 9)
    isEnumeration = row.integer(10) == 1
  }

  /// Returns whether the values of the column have the same semantics here as in PostgreSQL.
  ///
  /// - Parameter isInKey: whether the column is a part of the primary key.
  func isSupported(isInKey: Bool) -> Bool {
    if Self.usualTypes.contains(type) { return true }
    // Values that differ here may be equal for the server, and thus the same key.
    return nativeType != nil && !(isInKey && (typeName == "citext" || type == .jsonb))
  }

  private static let usualTypes: Set<TypeID> = [
    .int2, .int4, .int8, .float4, .float8, .text, .varchar, .name, .bytea,
  ]

  /// The type of the column, if it is none of the usual ones; `nil` for a usual type, and for a type whose values have no
  /// exact form here.
  private var nativeType: NativeColumnType? {
    switch type {
    case .bool: return .boolean
    case .uuid: return .uuid
    case .timestamptz: return .timestamp(hasZone: true, digits: timestampDigits)
    case .timestamp: return .timestamp(hasZone: false, digits: timestampDigits)
    case .date: return .day
    case .numeric:
      let digits = TypeID.digits(ofNumeric: modifier)
      return NativeColumnType(precision: digits?.precision, scale: digits?.scale ?? 0)
    case .bpchar: return .padded
    case .json, .jsonb: return .text
    default: return isEnumeration || typeName == "citext" ? .text : nil
    }
  }

  private var timestampDigits: Int { 0...6 ~= modifier ? Int(modifier) : 6 }

  /// Returns what to write instead of a value that the column can't hold; `nil` if the type and its modifier allow the value.
  func advice(insteadOf value: Value) -> String? {
    switch (type, value) {
    case (.int2, .integer(let integer)) where Int16(exactly: integer) == nil: Self.range(Int16.self)
    case (.int4, .integer(let integer)) where Int32(exactly: integer) == nil: Self.range(Int32.self)
    case (.float4, .real(let real)) where real.isFinite && !Float(real).isFinite: "write a number of up to 3.4e38"
    case (.varchar, .text(let text)), (.bpchar, .text(let text)):
      // The modifier includes the four bytes of the length.
      modifier >= 4 && text.unicodeScalars.count > modifier - 4 ? "write up to \(modifier - 4) characters" : nil
    default: nil
    }
  }

  private static func range<Integer: FixedWidthInteger>(_ type: Integer.Type) -> String {
    "write a number from \(Integer.min) to \(Integer.max)"
  }

  /// Whether the values of the column are JSON.
  var isJSON: Bool { type == .json || type == .jsonb }

  /// Whether the values are exact numbers of more digits than a real or an integer has, which only decimals can hold.
  var isWideNumeric: Bool { nativeType?.isNumeric == true }

  private var valueType: ValueType {
    switch type {
    case .int2, .int4, .int8, .bool: .integer
    case .numeric:
      switch nativeType {
      case .decimal(_, 0): .integer
      case .decimal: .real
      default: .text
      }
    case .float4, .float8: .real
    case .bytea: .blob
    default: .text
    }
  }

  /// Returns the column with the constraints of its table.
  func schema(under rules: TableRules) -> ColumnSchema {
    let name = Name(name)
    return ColumnSchema(
      name.text, valueType, isNullable: !isNotNull, isUnique: rules.isUnique(name), isIndexed: rules.isIndexed(name),
      // The next key is taken from the sequence, which is found by the column that owns it.
      isGenerated: hasSequence && valueType == .integer && rules.primaryKey == [name],
      // PostgreSQL enforces the type of each column's values.
      declaredType: isSupported(isInKey: rules.primaryKey.contains(name)) ? nil : declaredType,
      collation: nativeType == nil ? collation : nil, format: isWideNumeric ? .decimal : nil
    ).stored(as: nativeType).holdingSingles(type == .float4)
  }
}

extension PostgresCatalog {
  /// Returns the columns of a table or a view, in order; empty if no table has exactly this name.
  func columns(ofTable name: String) throws(RepositoryError) -> [TableColumn] {
    var columns: [TableColumn] = []
    try query(Self.columns, [Self.parameter(name), .text(ColumnSchema.unknownCollation)]) { row in
      columns.append(TableColumn(row))
    }
    return columns
  }

  /// Returns the labels of a column's enumeration, in their order.
  func labels(ofColumn column: String, in table: String) throws(RepositoryError) -> [String] {
    var labels: [String] = []
    try query(
      """
      SELECT e.enumlabel::text FROM \(Self.visibleTables) t \
      JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attname = $2::text \
      CROSS JOIN LATERAL (\(Self.baseType)) base JOIN pg_catalog.pg_enum e ON e.enumtypid = base.oid \
      WHERE t.relname = $1::text ORDER BY e.enumsortorder
      """, [Self.parameter(table), Self.parameter(column)]
    ) { row in labels.append(row.text(0)) }
    return labels
  }

  /// The columns of the table `$1`; a nondeterministic collation is called `$2`.
  private static let columns = """
    SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), base.oid::int8, \
    (a.attnotnull OR base.typnotnull)::int, (a.attgenerated <> '')::int, \
    (a.atthasdef OR a.attidentity <> '' OR base.typdefault IS NOT NULL)::int, \
    ((a.atthasdef OR a.attidentity <> '') \
    AND pg_get_serial_sequence(t.oid::regclass::text, a.attname::text) IS NOT NULL)::int, \
    CASE WHEN NOT l.collisdeterministic THEN $2::text WHEN \(isByBytes) THEN NULL ELSE l.collname::text END, \
    base.modifier::int8, CASE WHEN base.oid >= 16384 THEN base.typname::text END, (base.typtype = 'e')::int \
    FROM \(visibleTables) t \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    CROSS JOIN LATERAL (\(baseType)) base \
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation \
    WHERE t.relname = $1::text ORDER BY a.attnum
    """

  /// The base type of a column below its domains, of which there may be several, whether one of the domains is not null, and
  /// the default of the topmost domain, which inherits the default of the domain below unless it has its own.
  package static let baseType = """
    WITH RECURSIVE chain AS ( \
    SELECT y.oid, y.typname, y.typtype, y.typbasetype, y.typnotnull, y.typdefault, \
    CASE y.typtype WHEN 'd' THEN y.typtypmod ELSE a.atttypmod END AS modifier \
    FROM pg_catalog.pg_type y WHERE y.oid = a.atttypid \
    UNION ALL SELECT y.oid, y.typname, y.typtype, y.typbasetype, chain.typnotnull OR y.typnotnull, chain.typdefault, \
    CASE y.typtype WHEN 'd' THEN y.typtypmod ELSE chain.modifier END \
    FROM chain JOIN pg_catalog.pg_type y ON y.oid = chain.typbasetype) \
    SELECT * FROM chain WHERE typbasetype = 0
    """

  /// Whether a collation orders by bytes: `C` under its several names, and those that PostgreSQL itself provides, from
  /// version 17 on. The order of `C.UTF-8` in the C library depends on the library.
  /// https://www.postgresql.org/docs/17/locale.html#LOCALE-PROVIDERS
  package static let isByBytes = """
    CASE l.collprovider WHEN 'b' THEN true WHEN 'c' THEN l.collcollate IN ('C', 'POSIX') WHEN 'd' THEN (\
    SELECT CASE COALESCE(to_jsonb(d) ->> 'datlocprovider', 'c') \
    WHEN 'b' THEN true WHEN 'c' THEN d.datcollate IN ('C', 'POSIX') END \
    FROM pg_catalog.pg_database d WHERE d.datname = current_database()) END
    """
}
