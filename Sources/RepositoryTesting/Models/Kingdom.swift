public import Query

/// What a ``Specimen`` is: an enum that is kept as its raw text.
public enum Kingdom: String, ValueConvertible, Codable, CaseIterable {
  /// An animal.
  case animal
  /// A fungus.
  case fungus
  /// A plant.
  case plant
}
