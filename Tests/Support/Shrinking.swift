extension String {
  /// The text as a report shows it: of a long one, such as an expression of many levels, its beginning.
  package var shortened: String { count > 2_000 ? "\(prefix(2_000))… (\(count) characters)" : self }
}

/// A random example that can be made simpler, a step at a time.
package protocol Shrinkable: Sendable {
  /// The examples that are simpler by one step.
  var smaller: [Self] { get }
}

extension Shrinkable {
  /// Returns the example after all steps that leave it failing. A candidate for which `fails` throws is not taken: it may be
  /// no example at all, such as a table whose checks name no column.
  ///
  /// - Parameter limit: the number of candidates that are tried at most, each of which may take new databases.
  package func shrunk(trying limit: Int = 1_000, while fails: (Self) async throws -> Bool) async -> Self {
    var small = self
    var tried = 0
    search: while true {
      for candidate in small.smaller {
        tried += 1
        if tried > limit { return small }
        guard (try? await fails(candidate)) == true else { continue }
        small = candidate
        continue search
      }
      return small
    }
  }
}

extension [WriteStep] {
  /// The steps without one of them, then with a smaller one.
  package var smaller: [[WriteStep]] {
    let shorter = indices.map { Array(self[..<$0] + self[($0 + 1)...]) }
    return shorter
      + indices.flatMap { index in
        self[index].smaller.map { Array(self[..<index] + [$0] + self[(index + 1)...]) }
      }
  }
}
