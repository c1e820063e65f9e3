import CSV
import ErrorHandling

/// The fields of one record by the names in the header.
struct CSVFields {
  private let record: CSVRecord
  private let header: [String]

  init(_ record: CSVRecord, header: [String]) {
    self.record = record
    self.header = header
  }

  func text(_ column: String) throws(CSVFieldError) -> String {
    guard let text = try optionalText(column) else { throw fail(column, "is empty") }
    return text
  }

  func number<Number: LosslessStringConvertible & Numeric>(_ column: String) throws(CSVFieldError) -> Number {
    guard let number = Number(try text(column)) else { throw fail(column, "is no number") }
    return number
  }

  /// 1 for true, 0 for false.
  func flag(_ column: String) throws(CSVFieldError) -> Bool {
    switch try text(column) {
    case "0": return false
    case "1": return true
    default: throw fail(column, "is neither 0 nor 1")
    }
  }

  /// One of the cases of an enum.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ column: String) throws(CSVFieldError) -> Choice {
    guard let choice: Choice = try optionalChoice(column) else { throw fail(column, "is empty") }
    return choice
  }

  /// One of the cases of an enum, or nothing where the field is empty.
  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ column: String
  ) throws(CSVFieldError) -> Choice? {
    guard let text = try optionalText(column) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw fail(column, "is none of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  private func optionalText(_ column: String) throws(CSVFieldError) -> String? {
    guard let position = header.firstIndex(of: column) else { throw fail(column, "is missing in the header") }
    return record.fields[position].value
  }

  private func fail(_ column: String, _ problem: String) -> CSVFieldError {
    CSVFieldError(line: record.line, column: column, problem: problem)
  }
}

/// A field that is no part of a Pokémon.
struct CSVFieldError: FriendlyError, Hashable {
  /// The line of the file, counted from 1.
  let line: Int
  let column: String
  let problem: String

  var summary: String { "line \(line): \(column) \(problem)" }
}
