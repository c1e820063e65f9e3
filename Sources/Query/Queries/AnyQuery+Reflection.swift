extension AnyQuery: CustomReflectable {
  /// A query shows its text and no parts: `dump`, debuggers and testing libraries walk through parts by recursion, which a
  /// deep query takes to the end of the stack.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
