import Foundation
import Query
import Repository

extension OperatorCase {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  /// A property among values and in ranges.
  static let lists: [OperatorCase] = [
    OperatorCase(.in(key: "id", values: [1, 5])) { $0.id.in([1, 5]) },
    OperatorCase(.in(key: "id", values: [7])) { $0.id.in(Set([7])) },
    OperatorCase(.in(key: "id", values: [2, 3])) { $0.id.in([1, 2].lazy.map { $0 + 1 }) },
    OperatorCase(.in(key: "id", values: [Int]())) { $0.id.in([]) },
    OperatorCase(.in(key: "best", values: [1, 2])) { $0.best.in([1, 2]) },
    OperatorCase(.in(key: "best", values: [1, nil])) { $0.best.in([1, nil]) },
    OperatorCase(.in(key: "place", values: ["cave", "sea"])) { $0.place.in([.cave, .sea]) },
    OperatorCase(.in(key: "second_place", values: ["cave", nil])) { $0.secondPlace.in([.cave, nil]) },
    OperatorCase(.in(key: "is_rare", values: [1])) { $0.isRare.in([true]) },
    OperatorCase(.in(key: "bytes", values: [[UInt8]([1])])) { $0.bytes.in([[1]]) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.in(1...100) },
    OperatorCase(.greaterThanOrEqual(key: "id", value: 1) && .lessThan(key: "id", value: 100)) { $0.id.in(1..<100) },
    OperatorCase(.greaterThanOrEqual(key: "id", value: 1)) { $0.id.in(1...) },
    OperatorCase(.lessThanOrEqual(key: "id", value: 5)) { $0.id.in(...5) },
    OperatorCase(.lessThan(key: "id", value: 5)) { $0.id.in(..<5) },
    OperatorCase(.between(key: "best", lhs: 1, rhs: 100)) { $0.best.in(1...100) },
    OperatorCase(.greaterThanOrEqual(key: "best", value: 1)) { $0.best.in(1...) },
    OperatorCase(.between(key: "weight", lhs: 1.0, rhs: 2.5)) { $0.weight.in(1...2.5) },
    OperatorCase(.greaterThanOrEqual(key: "height", value: 0.5) && .lessThan(key: "height", value: 2.0)) {
      $0.height.in(0.5..<2)
    },
    OperatorCase(.between(key: "name", lhs: "a", rhs: "f")) { $0.name.in("a"..."f") },
    OperatorCase(.greaterThanOrEqual(key: "seen", value: date)) { $0.seen.in(date...) },
    OperatorCase(.lessThan(key: "caught", value: date)) { $0.caught.in(..<date) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.between(1, 100) },
    OperatorCase(.between(key: "id", lhs: 9, rhs: 1)) { $0.id.between(9, 1) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.between(1...100) },
    OperatorCase(.between(key: "height", lhs: 0.5, rhs: 2.0)) { $0.height.between(0.5...2) },
    OperatorCase(.between(key: "height", lhs: Double?.none, rhs: 2.0)) { $0.height.between(nil, 2) },
    OperatorCase(.between(key: "place", lhs: "cave", rhs: "forest")) { $0.place.between(.cave, .forest) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { (1...100).contains($0.id) },
    OperatorCase(.between(key: "best", lhs: 1, rhs: 100)) { (1...100).contains($0.best) },
    OperatorCase(.greaterThanOrEqual(key: "weight", value: 0.5)) { (0.5...).contains($0.weight) },
  ]
}
