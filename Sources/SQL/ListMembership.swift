public import Query

// Lists of values on the right of `IN`.
extension Dialect {
  /// Returns `IN`, with as many placeholders as there are values, or with the values as one list if that would be too many.
  ///
  /// Placeholders are padded with the last value to a power of two, so that few statements serve all lengths.
  public func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    let inlineCount = inlineListCount
    if values.count <= inlineCount { return inlineMembership(column, values, isNegated: isNegated, bind: bind) }
    let list = self.list(values) { make in bind { $0.count > inlineCount ? make($0) : nil } }
    return "\(comparand(column, .equal, with: values)) \(isNegated ? "NOT IN" : "IN") (\(list))"
  }

  /// Returns `IN` with a placeholder for each value.
  func inlineMembership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    let (inlineCount, count) = (inlineListCount, values.count.roundedUpToPowerOfTwo)
    let list = (0..<count).map { index in
      bind { values in
        guard values.count <= inlineCount, values.count.roundedUpToPowerOfTwo == count else { return nil }
        return .value(values[min(index, values.count - 1)])
      }
    }.joined(separator: ", ")
    return "\(comparand(column, .equal, with: values)) \(isNegated ? "NOT IN" : "IN") (\(list))"
  }
}

extension Int {
  /// The smallest power of two that is not less than the number.
  fileprivate var roundedUpToPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
