extension AnyKeyPath {
  /// The key path as it is written after its root: `.name`.
  ///
  /// The name of a computed property is not always known at run time; the address that then stands in its place in
  /// `description` differs from run to run and is left out.
  var spelling: String {
    let text = String(describing: self)
    guard let dot = text.firstIndex(of: ".") else { return text }
    guard let start = text.firstRange(of: "<computed ")?.upperBound, let end = text[start...].firstIndex(of: " ") else {
      return String(text[dot...])
    }
    return String(text[dot..<start] + text[text.index(after: end)...])
  }
}
