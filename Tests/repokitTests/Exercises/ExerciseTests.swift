import Foundation
import Testing

/// What courses in SQL ask about their sample database can be asked without SQL, and gets the same answers.
@Suite("Exercises in SQL, without SQL", .enabled(if: Workshop.hasShell, "SQLite's shell is not installed"))
struct ExerciseTests {
  static let all = ReadingExercises.all + GroupExercises.all + ColumnExercises.all
  private static let chinook = ProcessInfo.processInfo.environment["REPOKIT_CHINOOK"]

  @Test("over generated rows", arguments: all)
  func generated(exercise: Exercise) async throws {
    try await expectSameAnswer(exercise, in: MusicShop.workshop(with: nil))
  }

  @Test("over the real ones", .enabled(if: chinook != nil, "REPOKIT_CHINOOK names no file"), arguments: all)
  func real(exercise: Exercise) async throws {
    try await expectSameAnswer(exercise, in: MusicShop.workshop(with: Self.chinook))
  }

  private func expectSameAnswer(_ exercise: Exercise, in workshop: Workshop) async throws {
    let expected = try await workshop.run(
      program: "/usr/bin/sqlite3", ["-tabs", "-noheader", "-nullvalue", "\\N", "shop.sqlite", exercise.sql])
    try #require(expected.status == 0, "\(expected.messages)")

    let expectedRows = Self.rows(expected.output)
    #expect(!expectedRows.isEmpty)
    for engine in ["database", "memory"] {
      var arguments = exercise.arguments + ["--engine", engine]
      arguments.insert("shop.sqlite", at: 1)
      let found = try await workshop.run(arguments)
      #expect(found.status == 0 && found.messages == "", "\(found.messages)")
      let rows = Self.rows(found.output).dropFirst(exercise.arguments[0] == "count" ? 0 : 1)
      #expect(rows.count == expectedRows.count, "\(engine)")
      for (row, expected) in zip(rows, expectedRows) {
        let isSame = row.count == expected.count && zip(row, expected).allSatisfy(Self.areSame)
        #expect(isSame, "\(engine): \(row), not \(expected)")
      }
    }
  }

  private static func rows(_ output: String) -> [[Substring]] {
    output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }

  /// Whether two fields are the same text, or numbers that differ by what SQLite's sums and its 15 digits lose.
  private static func areSame(_ field: Substring, _ expected: Substring) -> Bool {
    if field == expected { return true }
    guard let number = Double(field), let other = Double(expected) else { return false }
    return abs(number - other) <= 1e-9 * max(abs(number), abs(other))
  }
}
