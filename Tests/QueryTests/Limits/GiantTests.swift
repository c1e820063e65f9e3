import Foundation
import Query
import TestSupport
import Testing

// One after the other, because they take hundreds of megabytes each; on a small stack, which a walk by recursion overflows.
// Nothing is compared within the macros, which would show megabytes.
@Suite("Queries of any size are answered or refused, on a small stack", .serialized)
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
      return ["printed": text.utf8.count > 90_000, "read": try AnyQuery(parsing: text) == query]
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
        "dumped": dumped.utf8.count > 90_000, "reflected": String(reflecting: [query]).utf8.count > 90_000,
        "request": "\(FetchRequest(query))".utf8.count > 90_000,
      ]
    }
    #expect(result == [])
  }

  @Test("They travel as JSON and as dictionaries", arguments: Giant.allCases)
  func interchange(giant: Giant) async throws {
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
