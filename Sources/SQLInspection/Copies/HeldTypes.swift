import Query
import Repository
import SQLStore

/// The types that take all values of columns whose declared types do not bind, found by one look at all rows.
struct HeldTypes {
  private(set) var types: [(column: String, type: ValueType)] = []

  init(of columns: [ColumnSchema], in table: TableSchema, of store: SQLDatabase) throws {
    if columns.isEmpty { return }
    var held = [ValueType?](repeating: nil, count: columns.count)
    var beyond = [Bool](repeating: false, count: columns.count)
    var mixed: Int?
    let request = ProjectionRequest(columns.map { .key($0.name) })
    try store.blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in
      for (position, value) in row.enumerated() {
        guard let type = value.type else { continue }
        // A real would round it.
        if type == .integer, value.converted(to: .real) == nil { beyond[position] = true }
        guard let union = (held[position] ?? type).union(type) else {
          mixed = position
          return false
        }
        held[position] = union
      }
      return true
    }
    if let mixed {
      throw RepositoryError(
        .unsupported, "can't copy \(columns[mixed].name) of \(table.name)",
        reason: "the column mixes bytes with other values, and the other database has no type for both",
        suggestion: "change the values, or name the tables to copy, without \(table.name)")
    }
    types = columns.indices.map { position in
      let declared = columns[position].type
      let type =
        switch held[position] {
        case nil: declared == .any ? ValueType.text : declared
        case .integer where declared == .real && !beyond[position]: ValueType.real
        case .real where beyond[position]: ValueType.text
        case let held?: held
        }
      return (columns[position].name, type)
    }
  }
}

extension Value {
  /// The type whose columns hold it; `nil` for null.
  fileprivate var type: ValueType? {
    switch self {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
