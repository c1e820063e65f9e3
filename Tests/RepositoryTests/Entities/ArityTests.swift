import Query
import Repository
import Testing

/// The initialisers over a number of columns read them in their order, as the one over a parameter pack does.
@Suite("A schema of any number of columns")
struct ArityTests {
  struct Wide: Entity, Equatable {
    var values: [Int]
    var id: Int { values[0] }
    subscript(position: Int) -> Int { values[position] }
    static let schema = Schema("wide", { (a0: Int) in Wide(values: [a0]) }, wideColumn(0))
  }

  private static func column(_ position: Int) -> Column<Wide, Int> { wideColumn(position) }

  static let schemas: [Schema<Wide>] = [
    Schema("wide", { (a0: Int) in Wide(values: [a0]) }, column(0)),
    Schema("wide", { (a0: Int, a1: Int) in Wide(values: [a0, a1]) }, column(0), column(1)),
    Schema("wide", { (a0: Int, a1: Int, a2: Int) in Wide(values: [a0, a1, a2]) }, column(0), column(1), column(2)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int) in Wide(values: [a0, a1, a2, a3]) }, column(0), column(1),
      column(2), column(3)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int) in Wide(values: [a0, a1, a2, a3, a4]) }, column(0),
      column(1), column(2), column(3), column(4)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int) in Wide(values: [a0, a1, a2, a3, a4, a5]) },
      column(0), column(1), column(2), column(3), column(4), column(5)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int) in Wide(values: [a0, a1, a2, a3, a4, a5, a6]) },
      column(0), column(1), column(2), column(3), column(4), column(5), column(6)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10)),
    Schema(
      "wide",
      {
        (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int)
        in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int, a15: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14), column(15)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int, a15: Int, a16: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14), column(15), column(16)),
  ]

  @Test("reads and writes each in its place")
  func order() throws {
    for (index, schema) in Self.schemas.enumerated() {
      let wide = Wide(values: (0...index).map { $0 * 7 + 1 })
      let table = try schema.table()
      #expect(table.columns.count == index + 1)
      for _ in 0..<3 { #expect(try schema.element(from: schema.row(from: wide, in: table), in: table) == wide) }
      let repository = try MemoryRepository([wide], schema: schema)
      #expect(try repository.findAll(FetchRequest()) == [wide])
    }
  }
}

private func wideColumn(_ position: Int) -> Column<ArityTests.Wide, Int> {
  Column(position == 0 ? "id" : "c\(position)", \.[position])
}
