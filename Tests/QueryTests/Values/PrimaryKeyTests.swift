import Query
import Testing

@Suite("A primary key is one value or several")
struct PrimaryKeyTests {
  struct Membership: PrimaryKey {
    let team: String
    let number: UInt
    func keyValues() throws(ValueError) -> [Value] { [team.makeValue(), try number.makeValue()] }
  }

  @Test("A struct gives one value for each column, in its own order")
  func severalColumns() throws {
    #expect(try Membership(team: "Rocket", number: 2).keyValues() == ["Rocket", 2])
  }

  @Test("A part that can't be stored makes the whole key fail")
  func unstorablePart() {
    #expect(throws: ValueError.self) { try Membership(team: "Rocket", number: .max).keyValues() }
  }

  @Test("Every single value, an optional one included, is a key of one column")
  func singleColumn() throws {
    #expect(try 7.keyValues() == [7])
    #expect(try "x".keyValues() == ["x"])
    #expect(try String?.none.keyValues() == [.null])
    #expect(try [UInt8]([1]).keyValues() == [.blob([1])])
  }
}
