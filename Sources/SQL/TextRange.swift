/// Prefixes as ranges of texts.
package enum TextRange {
  /// Returns the smallest text that is greater than every text with this prefix; `nil` if there is none.
  ///
  /// Texts are ordered by their bytes, and UTF-8 has the order of scalars (RFC 3629, section 1), so the last scalar is
  /// replaced by the next one; a last scalar without a successor is removed.
  package static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are not scalars: the successor of U+D7FF is U+E000.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        scalars.append(scalar)
        var end = String.UnicodeScalarView()
        end.append(contentsOf: scalars)
        return String(end)
      }
    }
    return nil
  }
}
