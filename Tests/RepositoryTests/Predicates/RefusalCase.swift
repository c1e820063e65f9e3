import Foundation
import Repository
import Testing

/// A predicate that no query can say, and the error that names what can't be said.
struct RefusalCase: Sendable, CustomTestStringConvertible {
  let source: String
  let predicate: Predicate<Animal>
  let code: QueryError.Code
  let message: String

  init(
    _ source: String, _ predicate: Predicate<Animal>, _ message: String,
    code: QueryError.Code = .unsupportedPredicate
  ) {
    self.source = source
    self.predicate = predicate
    self.code = code
    self.message = message
  }

  var testDescription: String { source }
}
