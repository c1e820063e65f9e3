import Query

/// What a closure that updates is given: the properties of a model type, to be set rather than read.
///
/// ```swift
/// try await pokedex.update(where: { $0.type == .fire }, set: { $0.weight = 90; $0.secondType = nil })
/// ```
///
/// A property can be set that is a constant of the model type; its column is what changes. One that is part of the
/// primary key is refused when the update is to run.
@dynamicMemberLookup
public struct Assignments<Element: Storable> {
  private let schema: Schema<Element>
  private(set) var list: [Assignment] = []

  init(_ schema: Schema<Element>) {
    self.schema = schema
  }

  /// The property that is set.
  public subscript<Property>(dynamicMember path: KeyPath<Element, Property>) -> Property {
    @available(*, unavailable, message: "an update sets properties to values that are known before it runs")
    get { preconditionFailure("a property can't be read here") }
    set { list.append(schema.assignment(of: newValue, to: path)) }
  }
}
