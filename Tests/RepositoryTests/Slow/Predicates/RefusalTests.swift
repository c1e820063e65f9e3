import Foundation
import Repository
import TestSupport
import Testing

@Suite("Building a query refuses an expression without an equivalent, and names it")
struct RefusalTests {
  @Test("Expressions", arguments: RefusalCase.expressions + RefusalCase.forceUnwraps)
  func expressions(_ refusal: RefusalCase) { refusal.check() }

  @Test("Expressions that are built by hand", arguments: RefusalCase.builtByHand)
  func builtByHand(_ refusal: RefusalCase) { refusal.check() }

  @Test("Properties", arguments: RefusalCase.properties)
  func properties(_ refusal: RefusalCase) { refusal.check() }

  @Test("Values", arguments: RefusalCase.values)
  func values(_ refusal: RefusalCase) { refusal.check() }

  @Test("An enum whose order takes different cases for alike is refused")
  func tiedCases() {
    let calm = Pet.Mood.calm
    #expect(throws: QueryError.self) { try AnyQuery(#Predicate<Pet> { $0.mood < calm }) }
  }

  private struct Pet: Entity {
    enum Mood: String, ValueConvertible, Codable, CaseIterable, Comparable {
      case angry, calm, bored

      static func < (lhs: Mood, rhs: Mood) -> Bool { lhs == .angry && rhs != .angry }
    }

    let id: Int
    var mood: Mood

    static let schema = Schema("pet", Pet.init, Column("id", \.id), Column("mood", \.mood))
  }

  @Test("The error tells what to compare instead")
  func suggestion() {
    expectError(of: QueryError.self, suggestion: "compare \\Animal.family as a whole") {
      try AnyQuery(#Predicate<Animal> { $0.family.rawValue == "cat" })
    }
  }

  @Test("An error holds no captured values")
  func captured() {
    let secret = "secret"
    let error = #expect(throws: QueryError.self) { try AnyQuery(#Predicate<Animal> { secret.contains($0.name) }) }
    #expect(error?.description.contains(secret) == false)
  }

  @Test("A repository throws the same as an invalid query")
  func repository() async throws {
    let animals = AnyRepository(try MemoryRepository<Animal>())
    let error = await #expect(throws: RepositoryError.self) {
      _ = try await animals.filter(#Predicate { ($0.isTame ? $0.legs : $0.wings) > 2 }).all()
    }
    #expect(error?.code == .invalidQuery)
    #expect((error?.underlying as? QueryError)?.code == .unsupportedPredicate)
  }
}

extension RefusalCase {
  /// Translates the predicate and compares the error.
  fileprivate func check() {
    let error = #expect(throws: QueryError.self) { try AnyQuery(predicate) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }
}

/// A predicate that no query can say, and the error that names what can't be said.
struct RefusalCase: Sendable, CustomTestStringConvertible {
  let source: String
  let predicate: Predicate<Animal>
  let code: QueryError.Code
  let message: String

  init(
    _ source: String, _ predicate: Predicate<Animal>, _ message: String,
    code: QueryError.Code = .unsupportedPredicate
  ) {
    self.source = source
    self.predicate = predicate
    self.code = code
    self.message = message
  }

  var testDescription: String { source }
}

extension RefusalCase {
  private static let four = 4
  private static let numbers = [4, 2]
  private static let noLimit: Double? = nil
  private static let egg = Animal.Stage.egg
  private static let rank = Animal.Rank(rawValue: 1)
  private static let place = Animal.Place(latitude: 1)
  private static let food = ["hay"]
  private static let notANumber = Double.nan
  private static let greatest = Int.max
  private static let least = Int.min
  private static let distantDate = Date(timeIntervalSinceReferenceDate: 1e15)
  private static let ages = ["cat": 4]

  static let expressions: [RefusalCase] = [
    RefusalCase("regex", #Predicate { $0.name.contains(#/a+/#) }, "can't convert `contains` of \\Animal.name"),
    RefusalCase(
      "conditional", #Predicate { ($0.isTame ? $0.legs : $0.wings) > 2 }, "can't convert `? :` of \\Animal.isTame"),
    RefusalCase(
      "text in captured text", #Predicate { "abc".contains($0.name) }, "can't convert `contains` of \\Animal.name"),
    RefusalCase("text in text", #Predicate { $0.name.contains($0.name) }, "can't convert `contains` of \\Animal.name"),
    RefusalCase(
      "start of a captured text", #Predicate { "abc".starts(with: $0.name) },
      "can't convert `starts(with:)` of \\Animal.name"),
    RefusalCase(
      "in a list of the row", #Predicate { $0.food.contains("hay") }, "can't convert `contains` of \\Animal.food"),
    RefusalCase("byte in a blob", #Predicate { $0.photo.contains(1) }, "can't convert `contains` of \\Animal.photo"),
    RefusalCase(
      "where in a list of the row", #Predicate { $0.food.contains { $0 == "hay" } },
      "can't convert `contains(where:)` of \\Animal.food to a query"),
    RefusalCase(
      "all of the row", #Predicate { $0.food.allSatisfy { $0 == "hay" } },
      "can't convert `allSatisfy` of \\Animal.food to a query"),
    RefusalCase(
      "filter", #Predicate { $0.food.filter { $0 == "hay" }.isEmpty }, "can't convert `filter` of \\Animal.food"),
    RefusalCase("subscript", #Predicate { $0.food[0] == "hay" }, "can't convert `[]` of \\Animal.food to a query"),
    RefusalCase("captured subscript", #Predicate { $0.legs == numbers[0] }, "can't convert `[]` to a query"),
    RefusalCase("dictionary", #Predicate { $0.legs == ages["cat"] ?? 4 }, "can't convert `[]` to a query"),
    RefusalCase(
      "minimum", #Predicate { $0.photo.min() == 1 }, "can't convert `min()` of \\Animal.photo to a query"),
    RefusalCase(
      "closure that gives no Bool", #Predicate { ($0.eggs.flatMap { _ in 3 } ?? 4) > 2 },
      "can't convert `flatMap` of \\Animal.eggs to a query"),
    RefusalCase("bounds that cross", #Predicate { (four...2).contains($0.legs) }, "can't convert `...` to a query"),
    RefusalCase(
      "half-open bounds without an order", #Predicate { (1..<notANumber).contains($0.weight) },
      "can't convert `..<` to a query; the bounds of the range are in the wrong order"),
    RefusalCase(
      "bounds without an order", #Predicate { (1...notANumber).contains($0.weight) },
      "can't convert `...` to a query; the bounds of the range are in the wrong order"),
    RefusalCase("overflow", #Predicate { $0.legs > greatest + four }, "can't convert `+` to a query"),
    RefusalCase("overflow of *", #Predicate { $0.legs > greatest * four }, "can't convert `*` to a query"),
    RefusalCase("overflow of -", #Predicate { $0.legs > -least }, "can't convert `-` to a query"),
    RefusalCase(
      "deep inside", #Predicate { $0.isTame && !($0.legs > 2 || ($0.isTame ? $0.legs : $0.wings) > 2) },
      "can't convert `? :` of \\Animal.isTame"),
  ]

  // The force unwraps are expressions here, which are never run.
  // swift-format-ignore: NeverForceUnwrap
  static let forceUnwraps: [RefusalCase] = [
    RefusalCase(
      "force unwrap", #Predicate { $0.height! > 2 },
      "can't convert `!` of \\Animal.height to a query; the predicate fails if the value is nil; replace nil with `??`"
    ),
    RefusalCase(
      "force unwrap of nil", #Predicate { $0.weight > noLimit! },
      "can't convert `!` to a query; the predicate fails if the value is nil"),
  ]

  /// What the macro does not let pass, or the compiler warns of, yet can be built by hand.
  static let builtByHand: [RefusalCase] = [
    RefusalCase(
      "cast",
      Predicate {
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.ConditionalCast<_, String>(name(of: $0)),
          rhs: PredicateExpressions.NilLiteral<String>())
      }, "can't convert `as?` of \\Animal.name to a query"),
    RefusalCase(
      "force cast",
      Predicate {
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.ForceCast<_, Int>(name(of: $0)), rhs: PredicateExpressions.build_Arg(four))
      }, "can't convert `as!` of \\Animal.name to a query"),
    RefusalCase(
      "type check", Predicate { PredicateExpressions.TypeCheck<_, Int>(name(of: $0)) },
      "can't convert `is` of \\Animal.name to a query"),
    RefusalCase(
      "expression of a later Foundation", Predicate { LaterExpression(lhs: name(of: $0)) },
      "can't convert `LaterExpression` of \\Animal.name to a query"),
    RefusalCase(
      "the row itself", Predicate { PredicateExpressions.build_Equal(lhs: $0, rhs: $0) },
      "\\Animal.self has no column in animal", code: .unknownKey),
    RefusalCase(
      "a variable of another predicate",
      Predicate { _ in
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.Variable<Int>(), rhs: PredicateExpressions.build_Arg(four))
      }, "can't convert `$0` to a query; the variable belongs to another predicate"),
  ]

  private static func name(
    of animal: PredicateExpressions.Variable<Animal>
  ) -> PredicateExpressions.KeyPath<PredicateExpressions.Variable<Animal>, String> {
    PredicateExpressions.build_KeyPath(root: animal, keyPath: \.name)
  }

  static let properties: [RefusalCase] = [
    // Swift does not know the names of computed properties at run time everywhere.
    RefusalCase("no column", #Predicate { $0.limbs > 2 }, "\\Animal.", code: .unknownKey),
    RefusalCase(
      "text length", #Predicate { $0.name.count > 2 },
      "\\Animal.name.count has no column in animal; compare \\Animal.name as a whole", code: .unknownKey),
    RefusalCase(
      "raw value", #Predicate { $0.family.rawValue == "cat" }, "\\Animal.family.", code: .unknownKey),
    RefusalCase(
      "no column of a nested value", #Predicate { $0.home.name == nil },
      "\\Animal.home.name has no column in animal; the columns are id, name", code: .unknownKey),
    RefusalCase(
      "nested value without a column", #Predicate { $0.home == place }, "\\Animal.home has no column", code: .unknownKey
    ),
    RefusalCase(
      "behind an optional", #Predicate { $0.den?.latitude == 1 },
      "\\Animal.den?.latitude has no column in animal; \\Animal.den is stored as JSON: search this text, such as",
      code: .unknownKey),
    RefusalCase(
      "an empty list in JSON", #Predicate { $0.food.isEmpty },
      "\\Animal.food.isEmpty has no column in animal; \\Animal.food is stored as JSON: search this text, such as"
        + " AnyQuery.contains(key: \"food\", value: …), or store the value in a separate column",
      code: .unknownKey),
    RefusalCase(
      "part of what stands in for nil", #Predicate { ($0.nick ?? $0.name).count > 2 },
      "can't convert \\String.count to a query"),
  ]

  static let values: [RefusalCase] = [
    RefusalCase(
      "NaN", #Predicate { $0.weight > notANumber }, "can't store or compare NaN", code: .invalidValue),
    RefusalCase(
      "date", #Predicate { $0.born < distantDate }, "can't store a date outside the years 0000 to 9999",
      code: .invalidValue),
    RefusalCase(
      "JSON", #Predicate { $0.food == food },
      "can't convert a value of Array<String> to a query; Array<String> does"),
    RefusalCase("JSON or nil", #Predicate { $0.den == nil }, "can't convert a value of Optional<Place> to a query"),
    RefusalCase(
      "order of an enum that is not the stored one", #Predicate { $0.stage > egg },
      "can't convert `>` of \\Animal.stage to a query; a store orders Stage by the stored values"),
    RefusalCase(
      "order of a type of one's own", #Predicate { $0.rank < rank }, "can't convert `<` of \\Animal.rank to a query"
    ),
  ]
}

/// Stands for the expressions that Foundation has not got yet.
private struct LaterExpression<LHS: StandardPredicateExpression>: StandardPredicateExpression {
  let lhs: LHS

  func evaluate(_ bindings: PredicateBindings) -> Bool { true }
}
