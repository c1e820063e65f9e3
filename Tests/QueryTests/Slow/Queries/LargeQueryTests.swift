import Foundation
import Query
import TestSupport
import Testing

// One after the other, because they take hundreds of megabytes each; on a small stack, which a walk by recursion overflows.
// Nothing is compared within the macros, which would show megabytes.
@Suite("Queries of any size are answered or refused, on a small stack", .tags(.slow), .serialized)
struct GiantTests {
  @Test("They are built, compared, hashed, shown and freed", arguments: Giant.allCases)
  func values(giant: Giant) async throws {
    let result = await SmallStack.check {
      let (query, twin, other) = (giant.query(), giant.query(), giant.query(3))
      return [
        "equal": query == twin, "different": query != other, "hash": query.hashValue == twin.hashValue,
        "set": Set([query, twin, other]).count == 2,
      ]
    }
    #expect(result == [])
  }

  @Test("They are printed, and read back from a text", arguments: Giant.allCases)
  func texts(giant: Giant) async throws {
    let result = await SmallStack.check {
      let query = giant.query()
      let text = query.description
      return ["printed": text.utf8.count > 9 * Giant.levels / 10, "read": try AnyQuery(parsing: text) == query]
    }
    #expect(result == [])
  }

  @Test("They are shown by what shows the parts of a value", arguments: [Giant.nots, .mixed])
  func reflection(giant: Giant) async throws {
    let result = await SmallStack.check {
      let query = giant.query()
      var dumped = ""
      dump(query, to: &dumped)
      dump(query.form, to: &dumped)
      return [
        "dumped": dumped.utf8.count > 9 * Giant.levels / 10,
        "reflected": String(reflecting: [query]).utf8.count > 9 * Giant.levels / 10,
        "request": "\(FetchRequest(query))".utf8.count > 9 * Giant.levels / 10,
      ]
    }
    #expect(result == [])
  }

  @Test("They travel as JSON and as dictionaries", arguments: Giant.allCases)
  func jsonCoding(giant: Giant) async throws {
    let result = await SmallStack.check {
      let query = giant.query()
      let json = try query.json
      // What is not nested is one list in a dictionary too.
      let hasDictionary = try ![.nots, .alternating].contains(giant) || AnyQuery(dictionary: query.dictionary) == query
      return ["read": try AnyQuery(json: json) == query, "dictionary": hasDictionary]
    }
    #expect(result == [])
  }

  @Test(
    "Foundation's coders read and write them, or refuse them with an error",
    arguments: [Giant.nots, .alternating, .inList])
  func coders(giant: Giant) async throws {
    let result = await SmallStack.check {
      let query = giant.query()
      do {
        return ["decoded": try JSONDecoder().decode(AnyQuery.self, from: JSONEncoder().encode(query)) == query]
      } catch is EncodingError {
        // They follow 512 levels.
        return ["deep": [.nots, .nestedRight, .alternating, .mixed].contains(giant)]
      }
    }
    #expect(result == [])
  }

  @Test("They are evaluated, or refused as too complex", arguments: Giant.allCases)
  func evaluation(giant: Giant) async throws {
    let result = await SmallStack.check {
      let table = try TableSchema.anything("a", "b")
      let text = Value.text(String(repeating: "a", count: 200_000))
      var isRefused: [Bool] = []
      for query in [giant.query(), !giant.query()] {
        do throws(QueryError) {
          let resolved = try query.resolved(in: table)
          _ = [[1, text], [.null, .null]].map { resolved.matches($0) }
          isRefused.append(false)
        } catch {
          isRefused.append(error.code == .tooComplex)
        }
      }
      return ["answered": isRefused == [!giant.isAnswered, !giant.isAnswered]]
    }
    #expect(result == [])
  }
}

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
