import Foundation

/// `clauses.txt`: for each table its statements, and then clauses, each with what is expected of it in the line below.
struct ClauseFile {
  struct Table {
    let name: String
    var statements: [String] = []
    var clauses: [Clause] = []
  }

  struct Clause {
    enum Expected {
      case ids([String])
      /// Words of the message.
      case error(String)
    }

    let text: String
    let expected: Expected
    /// Where the clause stands.
    let line: Int
  }

  struct Malformed: Error {
    let line: Int
  }

  private(set) var tables: [Table] = []

  /// Reads the file beside this one.
  static func read() throws -> ClauseFile {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("clauses.txt")
    return try ClauseFile(String(decoding: try Data(contentsOf: path), as: UTF8.self))
  }

  private init(_ text: String) throws {
    let lines = text.components(separatedBy: "\n")
    var position = 0
    while position < lines.count {
      let line = lines[position]
      position += 1
      if line.isEmpty || line.hasPrefix("#") { continue }
      if let name = line.rest(after: "table ") {
        tables.append(Table(name: name))
        while position < lines.count, !lines[position].isEmpty {
          tables[tables.count - 1].statements.append(lines[position])
          position += 1
        }
      } else if let clause = line.rest(after: "query "), !tables.isEmpty, position < lines.count {
        tables[tables.count - 1].clauses.append(
          Clause(text: clause, expected: Clause.Expected(lines[position]), line: position))
        position += 1
      } else {
        throw Malformed(line: position)
      }
    }
  }
}

extension ClauseFile.Clause.Expected {
  fileprivate init(_ line: String) {
    if let words = line.rest(after: "error ") {
      self = .error(words)
    } else {
      self = .ids(line == "none" ? [] : line.split(separator: " ").map(String.init))
    }
  }
}

extension String {
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
