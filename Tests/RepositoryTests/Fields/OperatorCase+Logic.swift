import Query
import Repository

extension OperatorCase {
  /// Properties that are conditions, and what joins conditions.
  static let logic: [OperatorCase] = [
    OperatorCase(.equal(key: "is_rare", value: true)) { $0.isRare },
    OperatorCase(!.equal(key: "is_rare", value: true)) { !$0.isRare },
    OperatorCase(.equal(key: "is_rare", value: true)) { $0.isRare == true },
    OperatorCase(.notEqual(key: "is_rare", value: true)) { $0.isRare != true },
    OperatorCase(.equal(key: "is_rare", value: true)) { true == $0.isRare },
    OperatorCase(.equal(key: "is_shiny", value: false)) { $0.isShiny == false },
    OperatorCase(.equal(key: "is_rare", value: true) && .greaterThan(key: "weight", value: 90.0)) {
      $0.isRare && $0.weight > 90
    },
    OperatorCase(.equal(key: "count", value: 1) || !.equal(key: "is_rare", value: true)) {
      $0.count == 1 || !$0.isRare
    },
    OperatorCase(!(.equal(key: "is_rare", value: true) || .isNull(key: "best"))) { !($0.isRare || $0.best == nil) },
    OperatorCase(.true) { _ in .true },
    OperatorCase(.all(of: [.equal(key: "is_rare", value: true), .isNull(key: "best")])) {
      .all(of: [$0.isRare, $0.best == nil])
    },
  ]
}
