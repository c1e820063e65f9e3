import Foundation
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

/// The conditions of `clauses.txt`, with answers that were found without the library: `generate.py` says how.
@Suite("A thousand clauses")
struct ClauseTests {
  @Test("mean the rows that the contract says, to either engine", arguments: ["database", "memory"])
  func engines(engine: String) async throws {
    let clauses = try ClauseFile.read()
    #expect(clauses.tables.reduce(0) { $0 + $1.clauses.count } == 1_000)
    let workshop = try Workshop()
    try clauses.makeDatabase(at: "\(workshop.path)/clauses.sqlite")
    for table in clauses.tables {
      let answers = try await Self.ask(table, by: engine, in: workshop)
      try #require(answers.count == table.clauses.count)
      for (clause, answer) in zip(table.clauses, answers) {
        #expect(clause.isAnswered(by: answer), "\(table.name), line \(clause.line): \(clause.text): \(answer)")
      }
    }
  }

  /// Asks one process of the tool for each clause of a table.
  private static func ask(_ table: ClauseFile.Table, by engine: String, in workshop: Workshop) async throws -> [String]
  {
    let query = "query --columns id --format tsv"
    let script = table.clauses.map { clause in
      // By scalars: a quote that is followed by a combining accent is another `Character`.
      let quoted = clause.text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
      return "\(query) --engine \(engine) -- \(table.name) '\(quoted)'\n\(query) divider\n"
    }
    let name = "\(table.name)-\(engine).txt"
    try workshop.write(script.joined(), to: name)
    let outcome = try await workshop.shell("\"$repokit\" shell clauses.sqlite --keep-going < \(name) 2>&1")
    return outcome.output.components(separatedBy: "id\n\(ClauseFile.divider)\n").dropLast()
  }
}

extension ClauseFile {
  /// What the tool prints between two answers: the only row of a table of that name.
  fileprivate static let divider = "----------------"

  /// Makes the tables, some of which the tool itself would make strict.
  fileprivate func makeDatabase(at path: String) throws {
    let store = try SQLiteStore(path: path, mode: .create, journal: .unchanged)
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for statement in tables.flatMap(\.statements) { try connection.execute(statement) }
      try connection.execute("CREATE TABLE divider (id TEXT)")
      try connection.execute("INSERT INTO divider VALUES ('\(Self.divider)')")
    }
  }
}

extension ClauseFile.Clause {
  /// Whether the tool's output is as expected: the ids under their heading, or an error with the words.
  fileprivate func isAnswered(by output: String) -> Bool {
    switch expected {
    case .ids(let ids):
      // A hint or a note may follow the result.
      output.split(separator: "\n").filter { !$0.hasPrefix("hint: ") && !$0.hasPrefix("note: ") }
        == (["id"] + ids).map { $0[...] }
    case .error(let words): output.hasPrefix("error: ") && output.contains(words)
    }
  }
}

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
