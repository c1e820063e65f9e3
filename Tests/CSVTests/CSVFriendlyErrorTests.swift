import ErrorHandling
import Foundation
import Testing

@testable import CSV

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
    errors.append(.unknownEscape(at: Place(line: 1, column: 1)))
    for error in errors {
      let friendly = AnyFriendlyError(error)
      #expect(friendly.summary.hasSuffix("."), "\(error)")
      #expect(friendly.reason != nil || friendly.suggestion != nil, "\(error)")
      #expect(error.localizedDescription == error.summary)
    }

    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CSV/CSVError+Code.swift").standardized
    let codes = try String(contentsOf: file, encoding: .utf8).matches(of: /= Code\(rawValue: "(\w+)"\)/).map(\.1)
    #expect(Set(errors.map(\.code.rawValue)) == Set(codes.map(String.init)))
  }
}
