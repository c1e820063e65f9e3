import Query
import Repository

extension OperatorCase {
  /// A property against another: of the same type, optional or not, or both numbers.
  static let fields: [OperatorCase] = [
    OperatorCase(.equal(key: "nickname", otherKey: "nickname")) { $0.nickname == $0.nickname },
    OperatorCase(.notEqual(key: "nickname", otherKey: "nickname")) { $0.nickname != $0.nickname },
    OperatorCase(.lessThan(key: "nickname", otherKey: "nickname")) { $0.nickname < $0.nickname },
    OperatorCase(.lessThanOrEqual(key: "nickname", otherKey: "nickname")) { $0.nickname <= $0.nickname },
    OperatorCase(.greaterThan(key: "nickname", otherKey: "nickname")) { $0.nickname > $0.nickname },
    OperatorCase(.greaterThanOrEqual(key: "nickname", otherKey: "nickname")) { $0.nickname >= $0.nickname },
    OperatorCase(.equal(key: "place", otherKey: "second_place")) { $0.place == $0.secondPlace },
    OperatorCase(.notEqual(key: "place", otherKey: "second_place")) { $0.place != $0.secondPlace },
    OperatorCase(.lessThan(key: "place", otherKey: "second_place")) { $0.place < $0.secondPlace },
    OperatorCase(.lessThanOrEqual(key: "place", otherKey: "second_place")) { $0.place <= $0.secondPlace },
    OperatorCase(.greaterThan(key: "place", otherKey: "second_place")) { $0.place > $0.secondPlace },
    OperatorCase(.greaterThanOrEqual(key: "place", otherKey: "second_place")) { $0.place >= $0.secondPlace },
    OperatorCase(.equal(key: "caught", otherKey: "seen")) { $0.caught == $0.seen },
    OperatorCase(.notEqual(key: "caught", otherKey: "seen")) { $0.caught != $0.seen },
    OperatorCase(.lessThan(key: "caught", otherKey: "seen")) { $0.caught < $0.seen },
    OperatorCase(.lessThanOrEqual(key: "caught", otherKey: "seen")) { $0.caught <= $0.seen },
    OperatorCase(.greaterThan(key: "caught", otherKey: "seen")) { $0.caught > $0.seen },
    OperatorCase(.greaterThanOrEqual(key: "caught", otherKey: "seen")) { $0.caught >= $0.seen },
    OperatorCase(.equal(key: "count", otherKey: "weight")) { $0.count == $0.weight },
    OperatorCase(.notEqual(key: "count", otherKey: "weight")) { $0.count != $0.weight },
    OperatorCase(.lessThan(key: "count", otherKey: "weight")) { $0.count < $0.weight },
    OperatorCase(.lessThanOrEqual(key: "count", otherKey: "weight")) { $0.count <= $0.weight },
    OperatorCase(.greaterThan(key: "count", otherKey: "weight")) { $0.count > $0.weight },
    OperatorCase(.greaterThanOrEqual(key: "count", otherKey: "weight")) { $0.count >= $0.weight },
    OperatorCase(.equal(key: "count", otherKey: "count")) { $0.count == $0.count },
    OperatorCase(.lessThan(key: "count", otherKey: "best")) { $0.count < $0.best },
    OperatorCase(.lessThan(key: "best", otherKey: "count")) { $0.best < $0.count },
    OperatorCase(.equal(key: "best", otherKey: "height")) { $0.best == $0.height },
    OperatorCase(.greaterThan(key: "height", otherKey: "level")) { $0.height > $0.level },
    OperatorCase(.lessThanOrEqual(key: "level", otherKey: "count")) { $0.level <= $0.count },
    OperatorCase(.notEqual(key: "chance", otherKey: "weight")) { $0.chance != $0.weight },
    OperatorCase(.equal(key: "is_rare", otherKey: "is_shiny")) { $0.isRare == $0.isShiny },
    OperatorCase(.equal(key: "is_rare", otherKey: "is_rare")) { $0.isRare == $0.isRare },
  ]
}
