/// The names of the fields of records that have names of their own, each with its position.
final class RecordNames {
  /// What SQLite can be built for at most: https://www.sqlite.org/limits.html#max_column
  private static let maximumCount = 32_767

  private(set) var names: [String]
  private var positions: [[UInt8]: Int] = [:]
  /// Finds the position of a name that is not known; `nil` where it is a new one.
  private let find: (String) throws(Failure) -> Int?

  /// Names that are found as records are read.
  init() {
    names = []
    find = { _ throws(Failure) in nil }
  }

  /// Names of which there are no others.
  ///
  /// - Parameter find: finds the position of a name in another spelling, or says what is wrong with it.
  init(_ names: [String], find: @escaping (String) throws(Failure) -> Int?) {
    self.names = names
    self.find = find
    for (position, name) in names.enumerated() { positions[Array(name.utf8)] = position }
  }

  /// The position of a name.
  func position(of bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> Int {
    let key = Array(bytes)
    if let position = positions[key] { return position }
    let name = String(decoding: bytes, as: UTF8.self)
    let position: Int
    if let known = try find(name) {
      position = known
    } else {
      if names.count == Self.maximumCount {
        throw Failure(
          "there are more than \(Self.maximumCount) names", details: ["no table of SQLite has as many columns"])
      }
      position = names.count
      names.append(name)
    }
    positions[key] = position
    return position
  }

  /// Whether a name is the one at a position; cheaper than to look for it.
  func isName(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < names.count && names[position].utf8.elementsEqual(bytes)
  }
}
