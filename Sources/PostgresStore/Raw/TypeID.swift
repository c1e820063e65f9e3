/// A type of PostgreSQL by its OID, which is the same in all databases for the built-in types below.
/// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat
struct TypeID: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The OID by which a parameter leaves its type to the server.
  static let inferred = TypeID(0)

  static let bool = TypeID(16)
  static let bytea = TypeID(17)
  static let name = TypeID(19)
  static let int8 = TypeID(20)
  static let int2 = TypeID(21)
  static let int4 = TypeID(23)
  static let text = TypeID(25)
  static let oid = TypeID(26)
  static let json = TypeID(114)
  static let float4 = TypeID(700)
  static let float8 = TypeID(701)
  static let unknown = TypeID(705)
  static let bpchar = TypeID(1042)
  static let varchar = TypeID(1043)
  static let date = TypeID(1082)
  static let timestamp = TypeID(1114)
  static let timestamptz = TypeID(1184)
  static let numeric = TypeID(1700)
  static let uuid = TypeID(2950)
  static let jsonb = TypeID(3802)

  /// Returns the precision and the scale of a `numeric`; `nil` if they are not restricted.
  /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/numeric.c, `make_numeric_typmod`
  static func digits(ofNumeric modifier: Int32) -> (precision: Int, scale: Int)? {
    guard modifier >= 4 else { return nil }
    let packed = modifier - 4
    // The scale has eleven bits with a sign.
    return (Int(packed >> 16 & 0xFFFF), Int((packed & 0x7FF) ^ 1024) - 1024)
  }

  /// The type of the items of an array; `nil` for other types.
  var item: TypeID? { Self.items[self] }

  private static let items: [TypeID: TypeID] = [
    TypeID(1000): bool, TypeID(1001): bytea, TypeID(1005): int2, TypeID(1007): int4, TypeID(1009): text,
    TypeID(1014): bpchar, TypeID(1015): varchar, TypeID(1016): int8, TypeID(1021): float4, TypeID(1022): float8,
    TypeID(1115): timestamp, TypeID(1182): date, TypeID(1185): timestamptz, TypeID(1231): numeric, TypeID(2951): uuid,
  ]

  /// The name of the array type of a type whose binary format is supported here; `nil` for other types.
  var arrayName: String? {
    switch self {
    case .bool: "bool[]"
    case .int2: "int2[]"
    case .int4: "int4[]"
    case .int8: "int8[]"
    case .float4: "float4[]"
    case .float8: "float8[]"
    case .text: "text[]"
    case .varchar: "varchar[]"
    case .bpchar: "bpchar[]"
    case .bytea: "bytea[]"
    case .date: "date[]"
    case .timestamp: "timestamp[]"
    case .timestamptz: "timestamptz[]"
    case .numeric: "numeric[]"
    case .uuid: "uuid[]"
    default: nil
    }
  }

  /// Returns the array of a type of items.
  static func array(of item: TypeID) -> TypeID { items.first { $0.value == item }?.key ?? .inferred }

  /// Whether the bytes of a value are those of a UTF-8 text, also in the binary format.
  var isText: Bool {
    switch self {
    case .text, .varchar, .bpchar, .name, .unknown, .json: true
    default: false
    }
  }
}
