import PostgresInspection
import PostgresStore
import Query
import Repository

/// Tables of a server that are named with their schema, as `crm.customer`: the schema comes first in the search path of the
/// command, in which the table has its plain name.
enum SearchPath {
  /// Returns arguments that name such tables by their plain names, and the database by a URI with the search path.
  static func resolving(_ arguments: Arguments) throws(Failure) -> Arguments {
    let command = arguments.command
    try checkNewNames(arguments)
    let tables = command.positionals.filter { $0.completion == .table }
    let names = tables.flatMap(arguments.all)
    guard names.contains(where: { $0.contains(".") }) else { return arguments }
    var resolved = arguments
    // The target of a copy has tables of its own names.
    let others = command.positionals.filter { $0.name == "OTHER" }
    for database in [PositionalDescription.database] + others {
      guard let text = arguments[database], let uri = ConnectionURI(text), !uri.isMalformed else { continue }
      let location = DatabaseLocation(text)
      guard let store = try location.open(.readOnly) as? PostgresStore,
        let found = try location.translating({ try store.searchPath(finding: names) })
      else { continue }
      if found.isAmbiguous {
        throw command.usageError(
          "two of the tables have the same name in different schemas", suggestion: "name one of these tables at a time")
      }
      resolved = resolved.replacing(database, with: [uri.addingOption("-csearch_path=", found.path)])
      for table in tables {
        resolved = resolved.replacing(table, with: arguments.all(table).map { found.tables[$0] ?? $0 })
      }
    }
    return resolved
  }

  /// The arguments that name a new table or view, by the words that call a command.
  private static let newNames = [
    "table create": "TABLE", "table rename": "NAME", "view create": "NAME", "import": "TABLE",
  ]

  /// Refuses a new table or view whose name begins with the name of a schema: its plain name would contain the point, and it would
  /// hide a table of that schema.
  private static func checkNewNames(_ arguments: Arguments) throws(Failure) {
    let command = arguments.command
    guard let positional = command.positionals.first(where: { $0.name == newNames[command.call] }),
      let name = arguments.all(positional).first, let point = name.firstIndex(of: "."),
      let text = arguments[.database], let uri = ConnectionURI(text), !uri.isMalformed
    else { return }
    let (location, schema) = (DatabaseLocation(text), String(name[..<point]))
    guard let store = try location.open(.readOnly) as? PostgresStore else { return }
    let isSchema = try location.translating {
      let names = try store.blocking.sql.query(
        "SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname = \(schema)", as: String.self)
      return !names.isEmpty
    }
    if !isSchema { return }
    // Import also adds to a table that exists.
    if positional.completion == .table, try location.translating({ try store.searchPath(finding: [name]) }) != nil {
      return
    }
    throw command.usageError(
      "repokit creates tables and views only in the first schema of the search path, not in \(schema)",
      suggestion: "add ?options=-csearch_path%3D\(schema) to the URI, and write the name without \(schema)")
  }

  /// A note on schemas whose tables a list leaves out.
  static func note(on store: some Any) throws(RepositoryError) -> String? {
    guard let store = store as? PostgresStore else { return nil }
    let schemas = try store.otherSchemas()
    guard let first = schemas.first else { return nil }
    let start =
      schemas.count == 1
      ? "the schema \(first) has tables" : "other schemas have tables: \(schemas.joined(separator: ", "))"
    return "note: \(start); name a table as \(first).TABLE"
  }
}

extension ConnectionURI {
  /// Returns the URI with one more option of the server, beside those that it has.
  /// https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNECT-OPTIONS
  func addingOption(_ name: String, _ value: String) -> String {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = parts.count < 2 ? [] : parts[1].split(separator: "&")
    let start = "options="
    var option = name
    for character in value { option += character == " " || character == "\\" ? "\\\(character)" : String(character) }
    let encoded = option.utf8.map { byte -> String in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
    let present = parameters.last { $0.hasPrefix(start) }
    let options = "\(present.map { "\($0)%20" } ?? start)\(encoded)"
    let others = parameters.filter { !$0.hasPrefix(start) } + (keepsStatements ? [] : ["prepared_statements=false"])
    return "\(parts[0])?" + (others.map(String.init) + [options]).joined(separator: "&")
  }
}
