#if canImport(ObjectiveC)
  public import Foundation

  extension AnySort {
    /// The sort as descriptors for objects, whose properties are found by key-value coding.
    ///
    /// They order as every store does: texts by their bytes, and nulls where the sort puts them. For that they compare
    /// objects with a block, which works on objects in memory alone. The primary key is not known here: add a descriptor
    /// for it where the order has to be the only one. As with ``AnyQuery/predicate``, the project's own tests don't cover this.
    public var sortDescriptors: [NSSortDescriptor] { terms.map(\.sortDescriptor) }
  }

  extension SortTerm {
    fileprivate var sortDescriptor: NSSortDescriptor {
      let key = key
      let sort = ResolvedSort(terms: [ResolvedSort.Term(column: 0, direction: direction, nulls: nulls)])
      // Without a key of its own, the descriptor hands over the objects; with one, it would place nulls itself.
      return NSSortDescriptor(key: nil, ascending: true) { lhs, rhs in
        let (lhs, rhs) = ([Value(keyPath: key, of: lhs)], [Value(keyPath: key, of: rhs)])
        if sort.areInIncreasingOrder(lhs, rhs) { return .orderedAscending }
        return sort.areInIncreasingOrder(rhs, lhs) ? .orderedDescending : .orderedSame
      }
    }
  }
#endif
