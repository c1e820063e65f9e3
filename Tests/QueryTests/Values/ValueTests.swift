import Query
import Testing

@Suite("A value knows its kind")
struct ValueTests {
  @Test(
    "Literals make the value that they look like",
    arguments: [
      (.null, "null"), (true, "integer 1"), (false, "integer 0"), (7, "integer 7"), (-7, "integer -7"),
      (7.0, "real 7.0"),
      (1e3, "real 1000.0"), ("", "text []"), ("é", "text [195, 169]"), (.blob([1, 2]), "blob [1, 2]"),
    ] as [(Value, String)])
  func literals(value: Value, spelling: String) {
    #expect(value.spelling == spelling)
  }

  @Test(
    "The kind of a value; integers and reals are one",
    arguments: [
      (.null, .null), (0, .number), (0.0, .number), ("", .text), ("0", .text), (.blob([]), .blob),
    ] as [(Value, Value.Kind)])
  func kinds(value: Value, kind: Value.Kind) {
    #expect(value.kind == kind)
    #expect(value.isNull == (kind == .null))
  }

  @Test(
    "The kinds that a column of each type may hold",
    arguments: [
      (.integer, [.number]), (.real, [.number]), (.text, [.text]), (.blob, [.blob]), (.any, [.number, .text, .blob]),
    ] as [(ValueType, Set<Value.Kind>)])
  func typeKinds(type: ValueType, kinds: Set<Value.Kind>) {
    #expect(type.kinds == kinds)
  }
}

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

extension Value {
  /// The value with its case and its bytes. `==` takes `1` and `1.0` for the same, and `String`'s takes the composed and
  /// the decomposed "é" for the same; a test of what exactly was made may not.
  var spelling: String {
    switch self {
    case .null: "null"
    case .integer(let integer): "integer \(integer)"
    case .real(let real): "real \(real)"
    case .text(let text): "text \(Array(text.utf8))"
    case .blob(let bytes): "blob \(bytes)"
    }
  }
}
