import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells whether the values of a type are ordered by a store as Swift orders them.
///
/// A store compares what it keeps: an enum over texts by those texts, whatever its `<` says.
enum StoredOrder {
  /// Whether a type's `<` is known to be the order of its stored values. Texts count as ordered alike.
  static func isKept(by type: Any.Type) -> Bool {
    switch type {
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type, is any StringProtocol.Type, is Character.Type,
      is Date.Type, is UUID.Type:
      true
    case let type as any (CaseIterable & Comparable & ValueConvertible).Type:
      isKept(byCasesOf: type)
    default:
      false
    }
  }

  private static func isKept<Cases: CaseIterable & Comparable & ValueConvertible>(byCasesOf type: Cases.Type) -> Bool {
    let cases = type.allCases.sorted()
    guard let values = try? cases.map({ try $0.makeValue() }) else { return false }
    for (lower, upper) in zip(cases.indices, cases.indices.dropFirst()) {
      let isKept = cases[lower] < cases[upper] ? values[lower] < values[upper] : values[lower] == values[upper]
      if !isKept { return false }
    }
    return true
  }
}
