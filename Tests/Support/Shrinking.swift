/// A random example that can be made simpler, a step at a time.
package protocol Shrinkable: Sendable {
  /// The examples that are simpler by one step.
  var smaller: [Self] { get }
}

extension Shrinkable {
  /// Returns the example after all steps that leave it failing. A candidate for which `fails` throws is not taken: it may be
  /// no example at all, such as a table whose checks name no column.
  package func shrunk(while fails: (Self) async throws -> Bool) async -> Self {
    var small = self
    search: while true {
      for candidate in small.smaller where (try? await fails(candidate)) == true {
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
