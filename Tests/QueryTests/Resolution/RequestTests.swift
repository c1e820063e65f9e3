import Query
import TestSupport
import Testing

@Suite("A request is checked as a whole")
struct RequestTests {
  @Test("A limit or an offset below zero is refused, zero is not")
  func ranges() throws {
    let table = try TableSchema.pokemon()
    for request in [FetchRequest(limit: 0), FetchRequest(offset: 0), FetchRequest(limit: .max, offset: .max)] {
      let resolved = try request.resolved(in: table)
      #expect(resolved.limit == request.limit)
      #expect(resolved.offset == request.offset)
    }
    for request in [
      FetchRequest(limit: -1), FetchRequest(limit: .min), FetchRequest(offset: -1), FetchRequest(offset: .min),
      FetchRequest(limit: 1, offset: -1),
    ] {
      expectError(.negativeRange, of: QueryError.self) { try request.resolved(in: table) }
    }
  }

  @Test("The request is resolved in the table")
  func resolution() throws {
    let request = FetchRequest(
      .isNull(key: "name"), sortedBy: .descending(key: "weight"), limit: 10, offset: 20)
    let resolved = try request.resolved(in: .pokemon())
    #expect(try resolved.table == .pokemon())
    #expect(try resolved.query.table == .pokemon())
    #expect(resolved.query.matches([1, .null, 2, .null, .null, .null, .null]))
    #expect(!resolved.query.matches([1, "Mew", 2, .null, .null, .null, .null]))
    #expect(resolved.sort.terms.map(\.column) == [2, 0])
    #expect(resolved.limit == 10 && resolved.offset == 20)
  }

  @Test("NaN is refused in the same words wherever it stands")
  func notANumber() throws {
    let expected = QueryError(
      .invalidValue, "can't store or compare NaN",
      suggestion: "use nil for an unknown number")
    for query in [
      .equal(key: "weight", value: Double.nan), .notEqual(key: "weight", value: -Double.nan),
      .lessThan(key: "weight", value: Float.nan), .equal(key: "weight", value: Double?.some(.nan)),
      .equal(key: "name", value: Double.nan), .in(key: "weight", values: [1, .nan]),
      .between(key: "weight", lhs: 1, rhs: Double.nan), .between(key: "weight", lhs: Double.nan, rhs: 1),
      .between(key: "weight", lower: .value(.real(.nan)), upper: .value(1)),
      .between(key: "weight", lower: .value(1), upper: .value(.real(.signalingNaN))),
      .equal(key: "weight", value: Value.real(.nan)), .true || .equal(key: "weight", value: Double.nan),
    ] as [AnyQuery] {
      #expect(throws: expected) { try query.resolved(in: .pokemon()) }
      #expect(throws: expected) { try FetchRequest(query).resolved(in: .pokemon()) }
    }
  }

  @Test("A value that no store can hold is refused, with what to do")
  func unstorable() throws {
    expectError(.invalidValue, of: QueryError.self, suggestion: "store the number as text") {
      try AnyQuery.equal(key: "attack", value: UInt.max).resolved(in: .pokemon())
    }
  }

  @Test("An error is one line: the summary, the reason and the suggestion")
  func description() {
    #expect(QueryError(.tooComplex, "a").description == "a")
    #expect(QueryError(.tooComplex, "a", reason: "b", suggestion: "c").description == "a; b; c")
    #expect(QueryError(.tooComplex, "a", suggestion: "c").description == "a; c")
    #expect(QueryError.Code(rawValue: "tooComplex") == .tooComplex)
  }

  @Test("An infinity is a number like others")
  func infinity() throws {
    let query = AnyQuery.lessThan(key: "weight", value: Double.infinity)
    #expect(try query.matches([1, .null, 1e308, .null, .null, .null, .null], in: .pokemon()))
    #expect(try !query.matches([1, .null, .real(.infinity), .null, .null, .null, .null], in: .pokemon()))
  }
}

@Suite("Assignments are checked before an update runs")
struct AssignmentTests {
  @Test("values are kept in the form of their columns")
  func resolved() throws {
    let assignments = try ResolvedAssignments(
      [Assignment("attack", 5.0), Assignment("weight", 5), Assignment("name", String?.none)], in: .pokemon())
    #expect(assignments.columns == [3, 2, 1])
    #expect("\(assignments.values)" == "[5, 5.0, null]")
    #expect(assignments.applied(to: [1, "a", 1.0, 1, 1, .null, .null]) == [1, .null, 5.0, 5, 1, .null, .null])
  }

  @Test(
    "what can't be set is refused, and why",
    arguments: [
      ([], .invalidAssignment, "the update sets no column"),
      ([Assignment("id", 1)], .invalidAssignment, "can't set id, a part of the primary key of pokemon"),
      ([Assignment("name", "a"), Assignment("name", "b")], .invalidAssignment, "name is given twice"),
      (
        [Assignment("name", "a"), Assignment("weight", 1.0), Assignment("name", "b")], .invalidAssignment,
        "name is given twice"
      ),
      ([Assignment("nmae", "a")], .unknownKey, "no column nmae in pokemon"),
      ([Assignment("name", 1)], .kindMismatch, "name stores text and can't store this number"),
      ([Assignment("attack", 1.5)], .kindMismatch, "attack stores integers and can't store this number"),
      ([Assignment("weight", Double.nan)], .invalidValue, "weight: \(ValueError.notANumber.summary)"),
      ([Assignment("attack", UInt.max)], .invalidValue, nil),
    ] as [([Assignment], QueryError.Code, String?)])
  func refused(assignments: [Assignment], code: QueryError.Code, summary: String?) throws {
    let table = try TableSchema.pokemon()
    let error = #expect(throws: QueryError.self) { try ResolvedAssignments(assignments, in: table) }
    #expect(error?.code == code)
    if let summary { #expect(error?.summary == summary) }
  }
}
