/// What is done with an element whose key exists.
public enum WriteMode: Hashable, Sendable {
  /// It is a conflict.
  case insert
  /// The element takes the place of the one that has it.
  case save
}
