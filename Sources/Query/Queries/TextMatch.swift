/// A text match: a key whose text contains, starts with, ends with or is like another: `name starts with 'Char'`.
///
/// False if the key is null or does not hold a text. Every text contains the empty text. Texts are compared by their UTF-8
/// bytes, so no match begins or ends within a character that both sides encode in full.
public struct TextMatch<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key whose text is examined.
  public let key: Key
  /// The operation by which the text is matched.
  public let operation: TextOperation
  /// The sought text, as it was given.
  public let text: String
  /// Whether both sides are case-folded first: "STRASSE" then matches "straße".
  public let isIgnoringCase: Bool

  /// The text that is compared with a row's text: folded if case is ignored.
  package var soughtText: String { isIgnoringCase ? CaseFolding.fold(text) : text }

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> TextMatch<NewKey> {
    TextMatch<NewKey>(key: try transform(key), operation: operation, text: text, isIgnoringCase: isIgnoringCase)
  }

  /// Returns whether both are equal; texts are compared by their bytes, as in ``Value``.
  public static func == (lhs: TextMatch, rhs: TextMatch) -> Bool {
    lhs.key == rhs.key && lhs.operation == rhs.operation && lhs.isIgnoringCase == rhs.isIgnoringCase
      && Value.text(lhs.text) == Value.text(rhs.text)
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(operation)
    hasher.combine(isIgnoringCase)
    hasher.combine(Value.text(text))
  }
}

/// The operations of text matches.
public enum TextOperation: String, Hashable, Sendable, CaseIterable {
  /// The key's text contains the sought text.
  case contains = "contains"
  /// The key's text starts with the sought text.
  case hasPrefix = "starts with"
  /// The key's text ends with the sought text.
  case hasSuffix = "ends with"
  /// The key's whole text matches the sought pattern, in which `%` is any run of characters, `_` one Unicode scalar, and `\`
  /// escapes.
  case like = "like"
}

/// The comparison of texts that ignores case: by Unicode's full case folding, in no locale.
///
/// Every store folds with this one function, so that "ignoring case" has the same semantics everywhere: "STRASSE" equals
/// "straße", and the Turkish dotless "ı" differs from "i". Composed and decomposed characters differ.
package enum CaseFolding {
  /// Folds every Unicode scalar of a text; the result may have more scalars than the text.
  package static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // The mapping to uppercase and then to lowercase is Unicode's folding (CaseFolding.txt, status C and F), with these
      // exceptions. Cherokee, whose lowercase is newer, folds to uppercase.
      case 0x131: folded.unicodeScalars.append(scalar)
      case 0x1E9E: folded += "ss"
      case 0x13A0...0x13FD, 0xAB70...0xABBF: folded += scalar.properties.uppercaseMapping
      default:
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
          folded += upper.properties.lowercaseMapping
        }
      }
    }
    return folded
  }
}
