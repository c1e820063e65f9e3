import Foundation
import TestSupport
import Testing

/// What courses in SQL ask about their sample database can be asked without SQL, and gets the same answers.
@Suite(
  "Exercises in SQL, without SQL", .tags(.slow), .enabled(if: Workshop.hasShell, "SQLite's shell is not installed"))
struct ExerciseTests {
  static let all = ReadingExercises.all + GroupExercises.all + ColumnExercises.all
  private static let chinook = ProcessInfo.processInfo.environment["REPOKIT_CHINOOK"]

  @Test("over generated rows", arguments: all)
  func generated(exercise: Exercise) async throws {
    try await expectSameAnswer(exercise, in: MusicShop.workshop(with: nil))
  }

  @Test("over generated rows, as typed queries")
  func typed() async throws { try await expectTypedAnswers(in: MusicShop.workshop(with: nil)) }

  @Test("over the real ones, as typed queries", .enabled(if: chinook != nil, "REPOKIT_CHINOOK names no file"))
  func realTyped() async throws { try await expectTypedAnswers(in: MusicShop.workshop(with: Self.chinook)) }

  private func expectTypedAnswers(in workshop: Workshop) async throws {
    let typed = TypedExercise.reading + TypedExercise.groups + TypedExercise.columns
    #expect(Set(typed.map(\.question)) == Set(Self.all.map(\.question)), "each question is asked in both ways")
    for (name, shop) in try await TypedShop.copies(of: workshop) {
      for exercise in typed {
        let sql = try #require(Self.all.first { $0.question == exercise.question }?.sql)
        let expected = try await Self.expectedRows(sql, in: workshop)
        let rows = try await exercise.answer(shop)
        #expect(rows.count == expected.count, "\(name): \(exercise.question)")
        for (row, expected) in zip(rows, expected) {
          let isSame = row.count == expected.count && zip(row.map { $0[...] }, expected).allSatisfy(Self.areSame)
          #expect(isSame, "\(name): \(exercise.question): \(row), not \(expected)")
        }
      }
    }
  }

  private static func expectedRows(_ sql: String, in workshop: Workshop) async throws -> [[Substring]] {
    let expected = try await workshop.run(
      program: "/usr/bin/sqlite3", ["-tabs", "-noheader", "-nullvalue", "\\N", "shop.sqlite", sql])
    try #require(expected.status == 0, "\(expected.messages)")
    return rows(expected.output)
  }

  @Test("over the real ones", .enabled(if: chinook != nil, "REPOKIT_CHINOOK names no file"), arguments: all)
  func real(exercise: Exercise) async throws {
    try await expectSameAnswer(exercise, in: MusicShop.workshop(with: Self.chinook))
  }

  private func expectSameAnswer(_ exercise: Exercise, in workshop: Workshop) async throws {
    let expectedRows = try await Self.expectedRows(exercise.sql, in: workshop)
    #expect(!expectedRows.isEmpty)
    for engine in ["database", "memory"] {
      var arguments = exercise.arguments + ["--engine", engine]
      arguments.insert("shop.sqlite", at: 1)
      let found = try await workshop.run(arguments)
      #expect(found.status == 0 && found.messages == "", "\(found.messages)")
      // In its tsv, a backslash is written twice.
      let rows = Self.rows(found.output.replacing(#"\\"#, with: #"\"#)).dropFirst(
        exercise.arguments[0] == "count" ? 0 : 1)
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
