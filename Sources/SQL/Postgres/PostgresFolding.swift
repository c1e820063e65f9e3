import Query

/// The function that folds the case of a text, which the driver has to define.
package enum PostgresFolding {
  /// The function's name.
  package static let functionName = "repokit.fold_1"
}
