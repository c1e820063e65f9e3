/// An element that has the same value in a unique column as another.
struct SampleConflict<Model: Sendable>: Sendable {
  /// The index of the element whose key it has.
  let index: Int
  /// The index of the element whose value it has.
  let other: Int
  let element: Model
}

extension SampleSet {
  /// A conflict in a column; `nil` where the model refuses every one.
  func conflict(in column: SampleColumn) -> SampleConflict<Model>? {
    for other in rows.indices {
      for index in rows.indices.reversed() where index != other {
        if let element = intruder(index, with: column, of: other) {
          return SampleConflict(index: index, other: other, element: element)
        }
      }
    }
    return nil
  }

  /// All elements but some.
  func elements(without indices: Int...) -> [Model] {
    elements.indices.filter { !indices.contains($0) }.map { elements[$0] }
  }
}
