/// What becomes of the rows that refer to a row when that row is deleted.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  /// The row can't be deleted as long as rows refer to it that are not deleted by the same operation.
  case restrict
  /// The rows that refer to it are deleted too, and those that refer to them, as their rules say.
  case cascade
  /// The rows that refer to it refer to nothing: the columns of the reference become null.
  case setNull
}
