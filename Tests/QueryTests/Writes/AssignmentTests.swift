import Query
import Testing

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
      ([], .invalidAssignment, "there is no column to set"),
      ([Assignment("id", 1)], .invalidAssignment, "id is part of the primary key of pokemon and can't be set"),
      ([Assignment("name", "a"), Assignment("name", "b")], .invalidAssignment, "name is set twice"),
      ([Assignment("nmae", "a")], .unknownKey, "no column nmae in pokemon"),
      ([Assignment("name", 1)], .kindMismatch, "name holds texts and can't hold this number"),
      ([Assignment("attack", 1.5)], .kindMismatch, "attack holds integers and can't hold this number"),
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
