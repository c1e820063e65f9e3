#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

/// The name of an expression in an error: its operator and the first property in it, never values.
struct ExpressionName: CustomStringConvertible {
  private let type: String
  private let symbol: String
  private let property: String?

  init(_ expression: Any) {
    type = String(String(describing: Swift.type(of: expression)).prefix { $0 != "<" })
    symbol = (expression as? any OperatorExpression)?.symbol ?? Self.symbols[type] ?? type
    property = Self.property(in: expression, levels: 8)
  }

  var description: String {
    switch (type, property) {
    case ("KeyPath", let property?): property
    case (_, let property?): "`\(symbol)` of \(property)"
    case (_, nil): "`\(symbol)`"
    }
  }

  /// The advice what to write instead, if there is any.
  var suggestion: String? {
    switch type {
    case "ForcedUnwrap":
      "replace nil with `??`, or use `if let`"
    case "StringLocalizedStandardContains", "StringLocalizedCompare", "StringCaseInsensitiveCompare":
      "use AnyQuery.contains(key:value:ignoringCase:), which ignores case without a locale"
    case "PredicateEvaluate":
      "make a query of each predicate, and combine the queries with && and ||"
    case "Arithmetic", "UnaryMinus", "FloatDivision", "IntDivision", "IntRemainder", "CollectionIndexSubscript",
      "CollectionRangeSubscript", "DictionaryKeySubscript", "DictionaryKeyDefaultValueSubscript", "ConditionalCast",
      "ForceCast", "SequenceMinimum", "SequenceMaximum", "Filter", "ExpressionEvaluate":
      "compute parts that do not depend on the entity before the predicate, and capture the results"
    default:
      nil
    }
  }

  /// The operators of the expressions that may be refused, by the names of Foundation's types.
  private static let symbols = [
    "UnaryMinus": "-", "FloatDivision": "/", "IntDivision": "/", "IntRemainder": "%",
    "Equal": "==", "NotEqual": "!=", "Conditional": "? :", "NilCoalesce": "??",
    "ForcedUnwrap": "!", "OptionalFlatMap": "flatMap", "ConditionalCast": "as?", "ForceCast": "as!", "TypeCheck": "is",
    "Range": "..<", "ClosedRange": "...", "RangeExpressionContains": "contains",
    "CollectionIndexSubscript": "[]", "CollectionRangeSubscript": "[]", "DictionaryKeySubscript": "[]",
    "DictionaryKeyDefaultValueSubscript": "[]", "CollectionContainsCollection": "contains",
    "SequenceContains": "contains", "SequenceContainsWhere": "contains(where:)", "SequenceAllSatisfy": "allSatisfy",
    "SequenceStartsWith": "starts(with:)", "SequenceMinimum": "min()", "SequenceMaximum": "max()", "Filter": "filter",
    "StringContainsRegex": "contains", "StringLocalizedStandardContains": "localizedStandardContains",
    "StringLocalizedCompare": "localizedCompare", "StringCaseInsensitiveCompare": "caseInsensitiveCompare",
    "PredicateEvaluate": "evaluate", "ExpressionEvaluate": "evaluate", "Variable": "$0",
  ]

  /// Returns the first property within an expression. Its parts are found by reflection: an expression of an unknown type
  /// has no other way to show them.
  private static func property(in expression: Any, levels: Int) -> String? {
    if let path = expression as? any PropertyExpression { return path.propertyName }
    if levels == 0 { return nil }
    for child in Mirror(reflecting: expression).children where child.value is any PredicateExpression {
      if let name = property(in: child.value, levels: levels - 1) { return name }
    }
    return nil
  }
}

/// An expression that reads a property.
private protocol PropertyExpression {
  var propertyName: String { get }
}

extension PredicateExpressions.KeyPath: PropertyExpression {
  fileprivate var propertyName: String {
    ((root as? any PropertyExpression)?.propertyName ?? "\\\(Root.Output.self)") + lastName
  }

  /// The last property of the path, as it is written after its owner.
  var lastName: String {
    switch kind {
    case .collectionCount: ".count"
    case .collectionIsEmpty: ".isEmpty"
    case .collectionFirst: ".first"
    case .bidirectionalCollectionLast: ".last"
    default: keyPath.spelling
    }
  }
}

/// An expression for one of several operators.
private protocol OperatorExpression {
  var symbol: String? { get }
}

extension PredicateExpressions.Arithmetic: OperatorExpression {
  fileprivate var symbol: String? {
    switch op {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    @unknown default: nil
    }
  }
}

extension PredicateExpressions.Comparison: OperatorExpression {
  fileprivate var symbol: String? {
    switch op {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    @unknown default: nil
    }
  }
}

/// A property of the entity of a predicate, or the entity itself.
struct RowProperty {
  private enum Path {
    case entity
    case path(AnyKeyPath)
    /// A property of an optional's value: no key path that is made at run time leads there.
    case none
  }

  /// The property as it is written in Swift.
  let name: String
  /// The properties on the way to this one, the nearest first.
  let owners: [RowProperty]
  private let way: Path

  private init(_ way: Path, name: String, owners: [RowProperty] = []) {
    self.way = way
    self.name = name
    self.owners = owners
  }

  /// The entity itself.
  init(of type: Any.Type) {
    self.init(.entity, name: "\\\(type).self")
  }

  /// The key path from the entity to the property, if there is one.
  var path: AnyKeyPath? {
    if case .path(let path) = way { path } else { nil }
  }

  /// Whether the property is a value that can be compared; other properties with a column are stored as JSON.
  var isValue: Bool {
    path.map { type(of: $0).valueType is any ValueConvertible.Type } ?? false
  }

  /// A property of this property.
  ///
  /// - Parameter name: the property as it is written after its owner.
  func appending(_ next: AnyKeyPath, name last: String) -> RowProperty {
    switch way {
    case .entity:
      return RowProperty(.path(next), name: "\\\(type(of: next).rootType)\(last)")
    case .path(let path):
      if let longer = path.appending(path: next) {
        return RowProperty(.path(longer), name: name + last, owners: [self] + owners)
      }
      return RowProperty(.none, name: "\(name)?\(last)", owners: [self] + owners)
    case .none:
      return RowProperty(.none, name: name + last, owners: [self] + owners)
    }
  }
}

extension AnyKeyPath {
  /// The key path as it is written after its root: `.name`.
  ///
  /// The name of a computed property is not always known at run time; the address that replaces it in `description` differs
  /// from run to run and is left out.
  var spelling: String {
    let text = String(describing: self)
    guard let dot = text.firstIndex(of: ".") else { return text }
    guard let start = text.firstRange(of: "<computed ")?.upperBound, let end = text[start...].firstIndex(of: " ") else {
      return String(text[dot...])
    }
    return String(text[dot..<start] + text[text.index(after: end)...])
  }
}
