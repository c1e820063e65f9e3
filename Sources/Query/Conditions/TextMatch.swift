/// A key whose text contains, starts with, ends with or is like another: `name starts with 'Char'`.
///
/// False where the key is null or holds no text. The empty text is found in every text. Texts are compared by their
/// UTF-8 bytes, so no match begins or ends amid a character that both sides encode in full.
public struct TextMatch<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key whose text is examined.
  public let key: Key
  /// How it has to match.
  public let operation: TextOperation
  /// What is looked for, as it was given.
  public let text: String
  /// Whether both sides are folded first: "STRASSE" then matches "straße".
  public let isIgnoringCase: Bool

  /// What is compared with a row's text: folded where case is ignored.
  package var soughtText: String { isIgnoringCase ? CaseFolding.fold(text) : text }

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> TextMatch<NewKey> {
    TextMatch<NewKey>(key: try transform(key), operation: operation, text: text, isIgnoringCase: isIgnoringCase)
  }

  /// Compares the texts by their bytes, as ``Value`` does.
  public static func == (lhs: TextMatch, rhs: TextMatch) -> Bool {
    lhs.key == rhs.key && lhs.operation == rhs.operation && lhs.isIgnoringCase == rhs.isIgnoringCase
      && Value.text(lhs.text) == Value.text(rhs.text)
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(operation)
    hasher.combine(isIgnoringCase)
    hasher.combine(Value.text(text))
  }
}

extension TextMatch where Key == Int {
  func makePredicate(isNegated: Bool) -> RowPredicate {
    let (key, matcher) = (key, TextMatcher(self))
    return { row in matcher.matches(row[key]) != isNegated }
  }
}
