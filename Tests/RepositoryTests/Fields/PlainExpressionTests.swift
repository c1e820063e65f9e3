import Query
import Repository
import Testing

// That this file compiles is the test: with the modules imported, plain Swift expressions keep their meaning and are
// type-checked as fast as before.
@Suite("The operators of queries leave plain Swift alone")
struct PlainExpressionTests {
  private let numbers = [3, 1, 2]
  private let missing: Int? = nil

  @Test("Comparisons and logic of Swift's own types")
  func comparisons() {
    // Constants, because the macro takes an expression apart and type-checks the parts in a slower way.
    let logic = numbers[0] < 5 && numbers[1] != 4 || !(numbers[2] >= 7)
    let optionals = missing == nil && !(missing != nil)
    let operators = "a" + "b" == "ab" && "a" < "b" && 1 + 2 * 3 - 4 > 2 && 1.5 * 2 + 1 <= 4.0
    let arrays = [1, 2] + [3] == numbers.sorted(by: <) && numbers.sorted(by: >).first == 3
    let closures = numbers.filter { $0 > 1 && $0 != 3 }.map { -$0 + 1 } == [-1]
    let functions = numbers.contains(where: { $0 == 3 || $0 == 9 }) && numbers.reduce(0, +) == 6
    #expect([logic, optionals, operators, arrays, closures, functions] == Array(repeating: true, count: 6))
  }

  @Test("Key paths are plain functions still")
  func keyPaths() {
    let creatures = Creature.samples
    #expect(creatures.map(\.attack).max() == 84)
    #expect(creatures.filter(\.isRare).map(\.id) == [4])
    #expect(creatures.filter { $0.weight > 8 && $0.element != .water }.map(\.id) == [1, 4])
    let isSame = \Creature.name == \Creature.name && \Creature.attack != \Creature.defense
    #expect(isSame)
  }

  @Test("Queries and Booleans stand beside each other")
  func mixture() {
    let isFiltering = numbers.count > 2 && !numbers.isEmpty
    let query: AnyQuery = isFiltering ? .equal(key: "a", value: 1) && !.isNull(key: "b") : .true
    #expect(query != .true)
  }
}
