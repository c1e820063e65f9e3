import Query
import TestSupport
import Testing

@Suite("Sorts of any length are carried out, on a small stack")
struct GiantSortTests {
  private static func sort(last: SortTerm.Direction = .ascending) -> AnySort {
    let terms = (0..<Giant.levels).map { number in
      SortTerm(key: number.isMultiple(of: 2) ? "a" : "b", direction: .descending, nulls: .first)
    }
    return AnySort(terms) + AnySort([SortTerm(key: "a", direction: last, nulls: .last)])
  }

  @Test("They are compared, hashed and freed")
  func values() async throws {
    let result = await SmallStack.check {
      let (sort, twin, other) = (Self.sort(), Self.sort(), Self.sort(last: .descending))
      return [
        "equal": sort == twin, "different": sort != other, "hash": sort.hashValue == twin.hashValue,
        "joined": (sort + sort).terms.count == 2 * Giant.levels + 2,
      ]
    }
    #expect(result == [])
  }

  @Test("They are built one key after the other")
  func chain() async throws {
    let result = await SmallStack.check {
      var sort = AnySort.primaryKey
      for number in 0..<Giant.levels {
        sort += .ascending(key: number.isMultiple(of: 2) ? "a" : "b")
      }
      return ["terms": sort.terms.count == Giant.levels]
    }
    #expect(result == [])
  }

  @Test("They travel as a text and as JSON")
  func texts() async throws {
    let result = await SmallStack.check {
      let sort = Self.sort()
      return [
        "text": try AnySort(parsing: sort.description) == sort, "json": try AnySort(json: sort.json) == sort,
        "dictionary": try AnySort(dictionary: sort.dictionary) == sort,
      ]
    }
    #expect(result == [])
  }

  @Test("They order rows, and have cursors; a key that stands again decides nothing")
  func order() async throws {
    let result = await SmallStack.check {
      let table = try TableSchema(
        "table", columns: ["a", "b", "id"].map { ColumnSchema($0, .any) }, primaryKey: ["id"])
      let sort = Self.sort()
      let place = try Cursor(at: [1, 2, 3], in: table, sortedBy: sort)
      let resolved = try FetchRequest(sortedBy: sort, after: Cursor(parsing: "\(place)")).resolved(in: table)
      return [
        "terms": resolved.sort.terms.count == 3, "order": resolved.sort.areInIncreasingOrder([2, 1, 1], [1, 9, 1]),
        "after": resolved.query.matches([1, 1, 9]), "before": !resolved.query.matches([2, 1, 9]),
      ]
    }
    #expect(result == [])
  }
}
