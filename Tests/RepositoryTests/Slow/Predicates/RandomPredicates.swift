import Foundation
import TestSupport

/// An expression whose type is known at run time alone.
private typealias Expressed<Output> = any StandardPredicateExpression<Output>

/// Makes predicates by chance, of every expression that can be turned into a query.
struct RandomPredicates {
  typealias Expressions = PredicateExpressions

  var random: SplitMix64
  private var animal = Expressions.Variable<Animal>()

  init(random: SplitMix64) {
    self.random = random
  }

  mutating func predicate() -> Predicate<Animal> {
    Predicate { variable in
      animal = variable
      return condition(depth: random.pick([0, 1, 1, 2, 3]))
    }
  }

  private mutating func condition(depth: Int) -> Expressed<Bool> {
    if depth == 0 { return leaf() }
    let (first, second) = (condition(depth: depth - 1), condition(depth: random.pick([0, depth - 1])))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return Self.not(first)
    case 1: return Self.and(first, second)
    case 2: return Self.or(first, second)
    case 3: return Self.equal(first, second, isNegated: random.chance(0.5))
    case 4: return Self.conditional(leaf(), first, second)
    default: return random.chance(0.5) ? Self.and(second, first) : Self.or(second, first)
    }
  }

  private mutating func leaf() -> Expressed<Bool> {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: return compare(integer(), integer())
    case 2: return compare(number(), number())
    case 3: return compare(text(), text())
    case 4: return compare(path(\.size), random.chance(0.5) ? path(\.size) : value(random.pick(Animal.Size.allCases)))
    case 5: return same(optional(\.eggs, RandomAnimals.integers), optional(\.eggs, RandomAnimals.integers))
    case 6: return same(optional(\.nick, RandomAnimals.texts), optional(\.nick, RandomAnimals.texts))
    case 7: return same(optional(\.mimics, Animal.Family.allCases), optional(\.hunts, Animal.Family.allCases))
    case 8: return Self.contains(random.pick(RandomAnimals.texts), in: text())
    case 9: return Self.starts(text(), with: random.pick(RandomAnimals.texts))
    case 10: return Self.contains(integers(), integer())
    case 11:
      return Self.contains(from: random.pick([-1, 0, 2]), to: random.pick([2, 4, 8]), integer(), random.chance(0.5))
    case 12: return chain()
    case 13, 14: return chainOfCondition()
    default: return truth()
    }
  }
}

extension RandomPredicates {
  private mutating func integers() -> [Int] {
    (0..<random.pick([0, 1, 2, 3])).map { _ in random.pick(RandomAnimals.integers) }
  }

  private mutating func integer() -> Expressed<Int> {
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1: path(\.legs)
    case 2: path(\.wings)
    case 3: Self.coalesce(path(\.eggs), path(\.legs))
    case 4: Self.coalesce(path(\.eggs), value(random.pick(RandomAnimals.integers)))
    case 5: Self.conditional(value(random.chance(0.5)), path(\.legs), path(\.wings))
    default: value(random.pick(RandomAnimals.integers))
    }
  }

  private mutating func number() -> Expressed<Double> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: path(\.weight)
    case 1: Self.coalesce(path(\.height), path(\.weight))
    case 2: Self.coalesce(path(\.height), value(random.pick(RandomAnimals.numbers)))
    default: value(random.pick(RandomAnimals.numbers))
    }
  }

  private mutating func text() -> Expressed<String> {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: path(\.name)
    case 1: Self.coalesce(path(\.nick), path(\.name))
    case 2: Self.coalesce(path(\.nick), value(random.pick(RandomAnimals.texts)))
    default: value(random.pick(RandomAnimals.texts))
    }
  }

  private mutating func optional<Property: Codable & Sendable>(
    _ keyPath: any KeyPath<Animal, Property?> & Sendable, _ values: [Property]
  ) -> Expressed<Property?> {
    if random.chance(0.5) { return path(keyPath) }
    return random.chance(0.3) ? Expressions.NilLiteral<Property>() : value(Optional(random.pick(values)))
  }

  private mutating func truth() -> Expressed<Bool> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: path(\.isTame)
    case 1: Self.coalesce(path(\.isLoud), path(\.isTame))
    case 2: Self.coalesce(path(\.isLoud), value(random.chance(0.5)))
    case 3: same(path(\.isLoud), value(random.pick([true, false, nil])))
    default: value(random.chance(0.5))
    }
  }

  private mutating func chain() -> Expressed<Bool> {
    let number = random.pick(RandomAnimals.integers)
    let chain: Expressed<Bool?> =
      random.chance(0.5)
      ? Expressions.build_flatMap(
        Expressions.build_KeyPath(root: animal, keyPath: \.eggs),
        { Expressions.build_NotEqual(lhs: $0, rhs: Expressions.build_Arg(number)) })
      : Expressions.build_flatMap(
        Expressions.build_KeyPath(root: animal, keyPath: \.eggs),
        { Expressions.build_Comparison(lhs: $0, rhs: Expressions.build_Arg(number), op: .lessThan) })
    return random.chance(0.5)
      ? Self.coalesce(chain, truth()) : same(chain, value(random.pick([true, false, nil])))
  }
}

extension RandomPredicates {
  /// `(eggs != nil ? no : yes).flatMap { _ in … }`: a condition tells where it is nil, and the closure asks of the row.
  private mutating func chainOfCondition() -> Expressed<Bool> {
    let truths: [Bool?] = [true, false, nil, nil]
    let none = Expressions.NilLiteral<Int>()
    let test = same(path(\.eggs), random.chance(0.6) ? none : optional(\.eggs, RandomAnimals.integers))
    let result: Expressed<Bool>
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let number = random.pick(RandomAnimals.integers)
      result = compare(Self.coalesce(path(\.eggs), value(number)), value(random.pick(RandomAnimals.integers)))
    case 1: result = same(path(\.eggs), optional(\.eggs, RandomAnimals.integers))
    default: result = truth()
    }
    let chain = Self.chain(Self.conditional(test, value(random.pick(truths)), value(random.pick(truths))), result)
    return random.chance(0.5)
      ? Self.coalesce(chain, truth()) : same(chain, value(random.pick([true, false, nil])))
  }

  private func value<Captured: Codable & Sendable>(_ captured: Captured) -> Expressed<Captured> {
    Expressions.build_Arg(captured)
  }

  private func path<Property>(_ keyPath: any KeyPath<Animal, Property> & Sendable) -> Expressed<Property> {
    Expressions.build_KeyPath(root: animal, keyPath: keyPath)
  }

  private mutating func same<Output: Equatable>(_ lhs: Expressed<Output>, _ rhs: Expressed<Output>) -> Expressed<Bool> {
    Self.equal(lhs, rhs, isNegated: random.chance(0.5))
  }

  private mutating func compare<Output: Comparable>(
    _ lhs: Expressed<Output>, _ rhs: Expressed<Output>
  ) -> Expressed<Bool> {
    if random.chance(0.3) { return same(lhs, rhs) }
    let operators: [Expressions.ComparisonOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
    return Self.compare(lhs, random.pick(operators), rhs)
  }
}

// What Foundation's macro writes, for expressions whose types are known at run time alone.
extension RandomPredicates {
  private static func not(_ wrapped: some StandardPredicateExpression<Bool>) -> Expressed<Bool> {
    Expressions.build_Negation(wrapped)
  }

  private static func and(
    _ lhs: some StandardPredicateExpression<Bool>, _ rhs: some StandardPredicateExpression<Bool>
  ) -> Expressed<Bool> {
    Expressions.build_Conjunction(lhs: lhs, rhs: rhs)
  }

  private static func or(
    _ lhs: some StandardPredicateExpression<Bool>, _ rhs: some StandardPredicateExpression<Bool>
  ) -> Expressed<Bool> {
    Expressions.build_Disjunction(lhs: lhs, rhs: rhs)
  }

  private static func conditional<Output>(
    _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Output>,
    _ second: some StandardPredicateExpression<Output>
  ) -> Expressed<Output> {
    Expressions.build_Conditional(test, first, second)
  }

  private static func chain(
    _ optional: some StandardPredicateExpression<Bool?>, _ result: some StandardPredicateExpression<Bool>
  ) -> Expressed<Bool?> {
    Expressions.build_flatMap(optional, { _ in result })
  }

  private static func equal<Output: Equatable>(
    _ lhs: some StandardPredicateExpression<Output>, _ rhs: some StandardPredicateExpression<Output>, isNegated: Bool
  ) -> Expressed<Bool> {
    isNegated ? Expressions.build_NotEqual(lhs: lhs, rhs: rhs) : Expressions.build_Equal(lhs: lhs, rhs: rhs)
  }

  private static func compare<Output: Comparable>(
    _ lhs: some StandardPredicateExpression<Output>, _ op: Expressions.ComparisonOperator,
    _ rhs: some StandardPredicateExpression<Output>
  ) -> Expressed<Bool> {
    Expressions.build_Comparison(lhs: lhs, rhs: rhs, op: op)
  }

  private static func coalesce<Output>(
    _ lhs: some StandardPredicateExpression<Output?>, _ rhs: some StandardPredicateExpression<Output>
  ) -> Expressed<Output> {
    Expressions.build_NilCoalesce(lhs: lhs, rhs: rhs)
  }

  private static func contains(_ part: String, in text: some StandardPredicateExpression<String>) -> Expressed<Bool> {
    Expressions.build_contains(text, Expressions.build_Arg(part))
  }

  private static func starts(_ text: some StandardPredicateExpression<String>, with start: String) -> Expressed<Bool> {
    Expressions.build_starts(text, with: Expressions.build_Arg(start))
  }

  private static func contains(_ list: [Int], _ element: some StandardPredicateExpression<Int>) -> Expressed<Bool> {
    Expressions.build_contains(Expressions.build_Arg(list), element)
  }

  private static func contains(
    from lower: Int, to upper: Int, _ element: some StandardPredicateExpression<Int>, _ isClosed: Bool
  ) -> Expressed<Bool> {
    let (lower, upper) = (Expressions.build_Arg(lower), Expressions.build_Arg(upper))
    return isClosed
      ? Expressions.build_contains(Expressions.build_ClosedRange(lower: lower, upper: upper), element)
      : Expressions.build_contains(Expressions.build_Range(lower: lower, upper: upper), element)
  }
}

/// Makes animals by chance, from few values, so that much matches and much does not. All texts are ASCII: the texts in
/// which Foundation's meaning differs are not among them.
struct RandomAnimals {
  static let texts = ["", "a", "b", "ab", "ba", "abc", "B", "aB", "%", "_"]
  static let integers = [-1, 0, 1, 2, 3, 4, 6, 8]
  static let numbers = [-1.5, -0.0, 0, 1, 2, 2.5, 4, 1e300, .infinity]

  var random: SplitMix64

  mutating func animals(_ count: Int) -> [Animal] {
    (1...count).map { animal($0) }
  }

  private mutating func animal(_ id: Int) -> Animal {
    Animal(
      id: id, name: random.pick(Self.texts), nick: optional(Self.texts), family: random.pick(Animal.Family.allCases),
      mimics: optional(Animal.Family.allCases), hunts: optional(Animal.Family.allCases),
      size: random.pick(Animal.Size.allCases), stage: random.pick(Animal.Stage.allCases),
      rank: Animal.Rank(rawValue: random.pick(Self.integers)), weight: random.pick(Self.numbers),
      height: optional(Self.numbers), legs: random.pick(Self.integers), wings: random.pick(Self.integers),
      eggs: optional(Self.integers), isTame: random.pick([true, false]), isLoud: optional([true, false]),
      born: Date(timeIntervalSinceReferenceDate: random.pick([-1e9, -0.5, 0, 0.5, 1e9])),
      code: UUID(uuid: (0, random.pick([0, 1, 255]), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
      initial: random.pick(["a", "b", "z"]), photo: random.pick([[], [1], [1, 2]]), latitude: random.pick(Self.numbers),
      den: optional([Animal.Place(latitude: 1)]), food: random.pick([[], ["hay"]]))
  }

  private mutating func optional<Property>(_ values: [Property]) -> Property? {
    random.chance(0.3) ? nil : random.pick(values)
  }
}
