/// A field that its column can't take.
struct FieldMisfit: Error {
  /// What is wrong, the start of the field included.
  let summary: String
  let suggestion: String?

  init(_ text: String, _ problem: String, _ suggestion: String? = nil) {
    summary = "\(TerminalText.quoted(text)) \(problem)"
    self.suggestion = suggestion
  }
}
