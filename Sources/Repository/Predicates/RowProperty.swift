import Query

/// A property of the entity that a predicate asks about, or the entity itself.
struct RowProperty {
  private enum Path {
    case entity
    case path(AnyKeyPath)
    /// Behind an optional: no key path that is made at run time leads there.
    case none
  }

  /// The property as it is written in Swift.
  let name: String
  /// The properties on the way to this one, the nearest first.
  let owners: [RowProperty]
  private let way: Path

  private init(_ way: Path, name: String, owners: [RowProperty] = []) {
    self.way = way
    self.name = name
    self.owners = owners
  }

  /// The entity itself.
  init(of type: Any.Type) {
    self.init(.entity, name: "\\\(type).self")
  }

  /// The way from the entity to the property, where there is one.
  var path: AnyKeyPath? {
    if case .path(let path) = way { path } else { nil }
  }

  /// Whether it is a value that can be compared; what has a column and is none is kept as JSON.
  var isValue: Bool {
    path.map { type(of: $0).valueType is any ValueConvertible.Type } ?? false
  }

  /// A property of this property.
  ///
  /// - Parameter name: the property as it is written after its owner.
  func appending(_ next: AnyKeyPath, name last: String) -> RowProperty {
    switch way {
    case .entity:
      return RowProperty(.path(next), name: "\\\(type(of: next).rootType)\(last)")
    case .path(let path):
      if let longer = path.appending(path: next) {
        return RowProperty(.path(longer), name: name + last, owners: [self] + owners)
      }
      return RowProperty(.none, name: "\(name)?\(last)", owners: [self] + owners)
    case .none:
      return RowProperty(.none, name: name + last, owners: [self] + owners)
    }
  }
}
