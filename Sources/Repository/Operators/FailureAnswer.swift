/// How it goes on after an operation of a repository has failed.
public enum FailureAnswer<Element: Storable>: Sendable {
  /// The same repository is asked once more. Where it fails again, so is the policy.
  case again
  /// Another repository is asked. Where that one fails, its error passes.
  case instead(any Repository<Element>)
}
