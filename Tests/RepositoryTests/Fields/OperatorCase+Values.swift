import Foundation
import Query
import Repository

extension OperatorCase {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private static let code = UUID()
  private static let link = URL(string: "https://example.com/a")
  private static let height: Double? = 1.5

  /// A property against a value, on either side.
  static let values: [OperatorCase] = [
    OperatorCase(.equal(key: "count", value: 5)) { $0.count == 5 },
    OperatorCase(.notEqual(key: "count", value: 5)) { $0.count != 5 },
    OperatorCase(.lessThan(key: "count", value: 5)) { $0.count < 5 },
    OperatorCase(.lessThanOrEqual(key: "count", value: 5)) { $0.count <= 5 },
    OperatorCase(.greaterThan(key: "count", value: 5)) { $0.count > 5 },
    OperatorCase(.greaterThanOrEqual(key: "count", value: 5)) { $0.count >= 5 },
    OperatorCase(.equal(key: "weight", value: 5.0)) { 5 == $0.weight },
    OperatorCase(.notEqual(key: "weight", value: 5.0)) { 5 != $0.weight },
    OperatorCase(.greaterThan(key: "weight", value: 5.0)) { 5 < $0.weight },
    OperatorCase(.greaterThanOrEqual(key: "weight", value: 5.0)) { 5 <= $0.weight },
    OperatorCase(.lessThan(key: "weight", value: 5.0)) { 5 > $0.weight },
    OperatorCase(.lessThanOrEqual(key: "weight", value: 5.0)) { 5 >= $0.weight },
    OperatorCase(.equal(key: "height", value: 1.5)) { $0.height == 1.5 },
    OperatorCase(.notEqual(key: "height", value: 1.5)) { $0.height != 1.5 },
    OperatorCase(.lessThan(key: "height", value: 1.5)) { $0.height < 1.5 },
    OperatorCase(.lessThanOrEqual(key: "height", value: 1.5)) { $0.height <= 1.5 },
    OperatorCase(.greaterThan(key: "height", value: 1.5)) { $0.height > 1.5 },
    OperatorCase(.greaterThanOrEqual(key: "height", value: 1.5)) { $0.height >= 1.5 },
    OperatorCase(.equal(key: "best", value: 5)) { 5 == $0.best },
    OperatorCase(.notEqual(key: "best", value: 5)) { 5 != $0.best },
    OperatorCase(.greaterThan(key: "best", value: 5)) { 5 < $0.best },
    OperatorCase(.greaterThanOrEqual(key: "best", value: 5)) { 5 <= $0.best },
    OperatorCase(.lessThan(key: "best", value: 5)) { 5 > $0.best },
    OperatorCase(.lessThanOrEqual(key: "best", value: 5)) { 5 >= $0.best },
    OperatorCase(.lessThan(key: "height", value: 2.0)) { $0.height < 2 },
    OperatorCase(.isNull(key: "height")) { $0.height == nil },
    OperatorCase(.isNotNull(key: "height")) { $0.height != nil },
    OperatorCase(.isNull(key: "nickname")) { nil == $0.nickname },
    OperatorCase(.isNotNull(key: "second_place")) { nil != $0.secondPlace },
    OperatorCase(.equal(key: "name", value: "Mew")) { $0.name == "Mew" },
    OperatorCase(.notEqual(key: "nickname", value: "Bud")) { "Bud" != $0.nickname },
    OperatorCase(.equal(key: "abbreviation", value: "M")) { $0.abbreviation == "M" },
    OperatorCase(.equal(key: "initial", value: "M")) { $0.initial == "M" },
    OperatorCase(.equal(key: "place", value: "cave")) { $0.place == .cave },
    OperatorCase(.notEqual(key: "place", value: "sea")) { .sea != $0.place },
    OperatorCase(.equal(key: "second_place", value: "forest")) { $0.secondPlace == .forest },
    OperatorCase(.notEqual(key: "second_place", value: "cave")) { .cave != $0.secondPlace },
    OperatorCase(.lessThan(key: "level", value: 9)) { $0.level < 9 },
    OperatorCase(.greaterThan(key: "chance", value: 0.5)) { $0.chance > 0.5 },
    OperatorCase(.equal(key: "seen", value: date)) { $0.seen == date },
    OperatorCase(.greaterThanOrEqual(key: "caught", value: date)) { $0.caught >= date },
    OperatorCase(.equal(key: "code", value: code)) { $0.code == code },
    OperatorCase(.notEqual(key: "link", value: link)) { $0.link != link },
    OperatorCase(.equal(key: "bytes", value: [UInt8]([1, 2]))) { $0.bytes == [1, 2] },
    OperatorCase(.equal(key: "picture", value: [UInt8]([3]))) { $0.picture == Data([3]) },
    OperatorCase(.equal(key: "height", value: height)) { $0.height == height },
  ]
}
