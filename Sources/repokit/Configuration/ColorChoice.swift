/// When escapes may change how text looks.
enum ColorChoice: String, CaseIterable {
  /// On a terminal, unless its user asked for none.
  case auto
  case always
  case never
}
