/// A model type with a schema of its own, which says in which table and columns its values are kept.
///
/// ```swift
/// struct Pokemon: Entity {
///   let id: Int
///   var name: String
///   var weight: Double?
///
///   static let schema = Schema(
///     "pokemon", Pokemon.init, Column("id", \.id), Column("name", \.name, .unique), Column("weight", \.weight))
/// }
/// ```
public protocol Entity: Storable {
  /// The schema that repositories take unless they are given another.
  static var schema: Schema<Self> { get }
}
