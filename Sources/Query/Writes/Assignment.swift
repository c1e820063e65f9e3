/// A column and the value that an update gives it.
///
/// ```swift
/// try await pokedex.update(where: .equal(key: "type", value: "fire"), set: [Assignment("weight", 90.0)])
/// ```
public struct Assignment: Hashable, Sendable {
  /// The column's name.
  public let key: String
  /// The value, null where it can't be stored.
  public let value: Value
  /// Why the value can't be stored, if it can't.
  package let error: ValueError?

  /// Gives a column a value.
  public init(_ key: String, _ value: some ValueConvertible) {
    self.key = key
    do throws(ValueError) {
      self.value = try value.makeValue()
      error = nil
    } catch {
      self.value = .null
      self.error = error
    }
  }

  /// A value that can't be stored, which is told when the update is to run.
  package init(_ key: String, failing error: ValueError) {
    self.key = key
    value = .null
    self.error = error
  }
}
