import CSV
@testable import CSV
import ErrorHandling
import Foundation
import Testing

@Suite("An error")
struct CSVErrorTests {
  @Test(
    "reads as",
    arguments: [
      (
        "a,b\n1\n",
        "line 2, column 2: The record has 1 field, the header has 2. The record ends here, before column \"b\". "
          + "Write an empty field for a missing value."
      ),
      (
        "a,b\n1,2,3\n",
        "line 2, column 5: The record has 3 fields, the header has 2. The first extra field starts here. "
          + "Put a field that contains the delimiter in quotes."
      ),
      (
        "a,a\n",
        "line 1, column 3: The header has two columns with the name \"a\". Give every column a different name."
      ),
      (
        "a,\n",
        "line 1, column 3: Column 2 of the header has no name. "
          + "Give every column a name, and remove a delimiter at the end of the line."
      ),
      (
        "",
        "line 1, column 1: The input is empty. "
          + "The first line must be the header with the names of the columns."
      ),
    ])
  func description(text: String, description: String) {
    let error = #expect(throws: CSVError.self) {
      let reader = try CSVReader(bytes: Array(text.utf8))
      _ = try reader.next()
    }
    #expect(error?.description == description)
  }

  @Test(
    "holds nothing of the data", arguments: ["secret\"", "\"secret", "\"secret\"x", "a,secret,c", "secretsecretsecret"])
  func holdsNoData(text: String) throws {
    let reader = try CSVReader(bytes: Array("a,b\n\(text)".utf8), maximumFieldSize: 10)
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.description.contains("secret") == false)
  }
}

@Suite("An error of CSV is friendly")
struct CSVFriendlyErrorTests {
  @Test("with every code, it says what happened, and why or what to do")
  func everyCode() throws {
    let inputs: [(code: CSVError.Code, bytes: [UInt8])] = [
      (.unterminatedQuote, Array("a\n\"x".utf8)), (.textAfterQuote, Array("a\n\"x\"y".utf8)),
      (.quoteInUnquotedField, Array("a\nx\"y".utf8)), (.invalidUTF8, Array("a\n".utf8) + [0xFF, 0x0A]),
      (.wrongFieldCount, Array("a,b\n1\n".utf8)), (.duplicateHeader, Array("a,a\n".utf8)),
      (.emptyHeader, Array("a,\n".utf8)), (.noHeader, []), (.fieldTooLarge, Array("a\nxxxxxxxxxxxxxxxx\n".utf8)),
    ]
    var errors: [CSVError] = []
    for (code, bytes) in inputs {
      let error = #expect(throws: CSVError.self) {
        let reader = try CSVReader(bytes: bytes, maximumFieldSize: 10)
        while try reader.next() != nil {}
      }
      #expect(error?.code == code)
      if let error { errors.append(error) }
    }
    let unreadable = #expect(throws: CSVError.self) { _ = try CSVReader(path: "/nothing/here.csv") }
    if let unreadable { errors.append(unreadable) }
    errors.append(.unknownEscape(at: CSVPosition(line: 1, column: 1)))
    errors.append(.tooManyColumns(limit: 9, at: CSVPosition(line: 1, column: 19)))
    for error in errors {
      let friendly = AnyFriendlyError(error)
      #expect(friendly.summary.hasSuffix("."), "\(error)")
      #expect(friendly.reason != nil || friendly.suggestion != nil, "\(error)")
      #expect(error.localizedDescription == error.summary)
    }

    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CSV/CSVError.swift").standardized
    let codes = try String(contentsOf: file, encoding: .utf8).matches(of: /= Code\(rawValue: "(\w+)"\)/).map(\.1)
    #expect(Set(errors.map(\.code.rawValue)) == Set(codes.map(String.init)))
  }
}
