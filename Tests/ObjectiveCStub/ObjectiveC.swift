// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of Apple's Foundation that predicates on objects use, so that their code is type-checked where there is no
// Objective-C runtime: scripts/check-predicates.sh. Nothing of it runs. Sources:
// https://developer.apple.com/documentation/foundation/nscomparisonpredicate, …/nsexpression, …/nssortdescriptor
public import Foundation

public class NSExpression: NSObject {
  init(forKeyPath keyPath: String) {}
  init(forConstantValue value: Any?) {}
}

public class NSComparisonPredicate: NSPredicate {
  enum Operator { case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo, equalTo, `in` }
  enum Modifier { case direct }
  struct Options: OptionSet { let rawValue: UInt }

  init(
    leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator, options: Options
  ) {
    super.init(value: true)
  }

  required init?(coder: NSCoder) { nil }
}

extension NSSortDescriptor {
  convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self.init(keyPath: \NSObject.hash, ascending: ascending)
  }
}

extension NSObject {
  func value(forKeyPath keyPath: String) -> Any? { nil }
}
