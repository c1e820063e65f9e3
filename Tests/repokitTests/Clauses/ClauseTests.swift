import Foundation
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

/// The conditions of `clauses.txt`, with answers that were found without the library: `generate.py` says how.
@Suite("A thousand clauses, or nearly", .tags(.slow))
struct ClauseTests {
  @Test("mean the rows that the contract says, to either engine", arguments: ["database", "memory"])
  func engines(engine: String) async throws {
    let clauses = try ClauseFile.read()
    #expect(clauses.tables.reduce(0) { $0 + $1.clauses.count } == 994)
    let workshop = try Workshop()
    try clauses.makeDatabase(at: "\(workshop.path)/clauses.sqlite")
    // A process for each clause takes a minute; `make random` asks them all.
    for var table in clauses.tables {
      table.clauses = Effort.sample(table.clauses)
      let answers = try await Self.ask(table, by: engine, in: workshop)
      try #require(answers.count == table.clauses.count)
      for (clause, answer) in zip(table.clauses, answers) {
        #expect(clause.isAnswered(by: answer), "\(table.name), line \(clause.line): \(clause.text): \(answer)")
      }
    }
  }

  /// Runs the tool once for each clause. One shell does that for a whole table: to start a process from here takes
  /// longer than the tool's answer.
  private static func ask(_ table: ClauseFile.Table, by engine: String, in workshop: Workshop) async throws -> [String]
  {
    // The status and a byte that is in no answer stand after each.
    var script = """
      ask() {
        "$repokit" query --engine \(engine) --columns id --format tsv -- clauses.sqlite \(table.name) "$1" 2>&1
        printf '%s\\001' "$?"
      }

      """
    for clause in table.clauses {
      // By scalars: a quote that is followed by a combining accent is another `Character`.
      let quoted = clause.text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
      script += "ask '\(quoted)'\n"
    }
    let name = "\(table.name)-\(engine).sh"
    try workshop.write(script, to: name)
    let outcome = try await workshop.shell(". ./\(name)")
    return outcome.output.components(separatedBy: "\u{1}").dropLast()
  }
}

extension ClauseFile {
  /// Makes the tables, some of which the tool itself would make strict.
  fileprivate func makeDatabase(at path: String) throws {
    let store = try SQLiteStore(path: path, mode: .create, journal: .unchanged)
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for statement in tables.flatMap(\.statements) { try connection.execute(statement) }
    }
  }
}

extension ClauseFile.Clause {
  /// Whether the tool's output and status are as expected: the ids under their heading, or an error with the words.
  fileprivate func isAnswered(by output: String) -> Bool {
    switch expected {
    case .ids(let ids):
      // A hint or a note may follow the result.
      output.split(separator: "\n").filter { !$0.hasPrefix("hint: ") && !$0.hasPrefix("note: ") }
        == (["id"] + ids + ["0"])[...].map { $0[...] }
    case .error(let words): output.hasPrefix("error: ") && output.contains(words) && output.hasSuffix("\n2")
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
