import Foundation
import Repository
import Testing

/// A predicate, and the query that it has to become.
struct TranslationCase: Sendable, CustomTestStringConvertible {
  let source: String
  let predicate: Predicate<Animal>
  let query: AnyQuery
  let text: String

  init(_ source: String, _ predicate: Predicate<Animal>, _ query: AnyQuery, _ text: String) {
    self.source = source
    self.predicate = predicate
    self.query = query
    self.text = text
  }

  var testDescription: String { source }
}
