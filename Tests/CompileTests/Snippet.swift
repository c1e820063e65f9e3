import Foundation

/// The source texts of these tests.
enum Snippet: String {
  case plainSwift = "PlainSwift"
  case model = "Model"
  case longQueries = "LongQueries"
  case wrongUses = "WrongUses"

  var text: String {
    get throws {
      try String(
        contentsOf: URL(filePath: #filePath).appending(path: "../Snippets/\(rawValue).swift.txt").standardized,
        encoding: .utf8)
    }
  }
}
