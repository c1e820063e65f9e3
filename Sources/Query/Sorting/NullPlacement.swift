/// Where a sort places the rows whose key is null.
public enum NullPlacement: Hashable, Sendable {
  /// Before all other rows.
  case first
  /// After all other rows.
  case last
}
