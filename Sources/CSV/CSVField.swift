/// One field of a record: its text, and whether it stood in quotes.
///
/// The quotes are kept because CSV has no other way to tell no value from empty text:
///
/// | In the file | `text` | `isQuoted` | `value` |
/// |---|---|---|---|
/// | `a,,c` | `""` | `false` | `nil` |
/// | `a,"",c` | `""` | `true` | `""` |
/// | `a,b,c` | `"b"` | `false` | `"b"` |
///
/// Two fields are equal when Swift's strings are, which is canonical equivalence: `é` is equal to `e` with a combining
/// accent. The text itself keeps the file's code points, compare `text.utf8` where they matter.
public struct CSVField: Hashable, Sendable {
  /// The text without its surrounding quotes, doubled quotes made single; otherwise every character of the file.
  public let text: String

  /// Whether the field stood in quotes.
  public let isQuoted: Bool

  /// A field with a text.
  ///
  /// - Parameters:
  ///   - text: The field's text.
  ///   - isQuoted: Whether it stood in quotes.
  public init(_ text: String, isQuoted: Bool = false) {
    self.text = text
    self.isQuoted = isQuoted
  }

  /// Whether the field has no value: it is empty and without quotes.
  public var isAbsent: Bool {
    !isQuoted && text.isEmpty
  }

  /// The text, or `nil` when the field is absent; what ``CSVWriter`` takes.
  public var value: String? {
    isAbsent ? nil : text
  }
}
