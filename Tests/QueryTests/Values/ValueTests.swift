import Query
import Testing

@Suite("A value knows what it is")
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
