import Query
import Repository

extension OperatorCase {
  /// A property that is a text.
  static let texts: [OperatorCase] = [
    OperatorCase(.contains(key: "name", value: "a")) { $0.name.contains("a") },
    OperatorCase(.hasPrefix(key: "nickname", value: "a")) { $0.nickname.hasPrefix("a") },
    OperatorCase(.hasSuffix(key: "abbreviation", value: "a")) { $0.abbreviation.hasSuffix("a") },
    OperatorCase(.like(key: "name", value: "a%")) { $0.name.like("a%") },
    OperatorCase(.contains(key: "name", value: "a", ignoringCase: true)) { $0.name.contains("a", ignoringCase: true) },
    OperatorCase(.hasPrefix(key: "nickname", value: "a", ignoringCase: true)) {
      $0.nickname.hasPrefix("a", ignoringCase: true)
    },
    OperatorCase(.hasSuffix(key: "name", value: "a", ignoringCase: true)) {
      $0.name.hasSuffix("a", ignoringCase: true)
    },
    OperatorCase(.like(key: "initial", value: "a", ignoringCase: true)) { $0.initial.like("a", ignoringCase: true) },
    OperatorCase(.hasPrefix(key: "remark", value: "as")) { $0.remark.hasPrefix("as") },
    OperatorCase(.equal(key: "name", value: "")) { $0.name.isEmpty },
    OperatorCase(!.equal(key: "nickname", value: "")) { !$0.nickname.isEmpty },
  ]
}
