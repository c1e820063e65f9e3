public import Query

/// A property type that is a text, optional or not, and can be searched.
///
/// An enum over texts is none by itself, because its values are names that are compared as a whole. One whose names
/// shall be searched conforms to this instead of `ValueConvertible`: `enum Habitat: String, TextProperty`.
public protocol TextProperty: ValueConvertible {}

extension String: TextProperty {}
extension Substring: TextProperty {}
extension Character: TextProperty {}
extension Optional: TextProperty where Wrapped: TextProperty {}
