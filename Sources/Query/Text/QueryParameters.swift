/// The parameters of a query's text: which there are, and what they stand for.
struct QueryParameters {
  /// A text without parameters.
  static var none: QueryParameters { QueryParameters([]) { _ in .null } }

  private let names: Set<String>
  private let value: (ParameterUse) -> Value
  private var used: Set<String> = []

  init(_ names: Set<String>, value: @escaping (ParameterUse) -> Value) {
    self.names = names
    self.value = value
  }

  /// What a parameter stands for in one place; `nil` for one that there is not.
  mutating func value(of use: ParameterUse) -> Value? {
    guard names.contains(use.name) else { return nil }
    used.insert(use.name)
    return value(use)
  }

  /// A parameter that the text did not name; the first by the alphabet, so that an error is the same each time.
  var unused: String? { names.subtracting(used).min() }

  /// What may have been meant by a name that no parameter has.
  func suggestion(for name: String) -> String? {
    NearestName.nearest(to: name, in: names.sorted()).map { "did you mean :\($0)?" }
  }
}
