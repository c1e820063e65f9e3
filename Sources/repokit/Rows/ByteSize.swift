import Query

/// Numbers of bytes for people.
enum ByteSize {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]

  /// A size in the unit that leaves one to four digits: `512 B`, `1.5 KiB`, `37 MiB`.
  static func text(_ bytes: Int) -> String {
    var size = Double(bytes)
    var unit = 0
    while size.rounded() >= 1_024, unit < units.count - 1 {
      size /= 1_024
      unit += 1
    }
    let tenths = Int((size * 10).rounded())
    let isExact = unit == 0 || tenths >= 100
    return (isExact ? "\(Int(size.rounded()))" : "\(tenths / 10).\(tenths % 10)") + " " + units[unit]
  }

  /// Sizes with blanks before them, so that their ends stand below each other.
  static func aligned(_ sizes: [Int?]) -> [Value] {
    let texts = sizes.map { $0.map(text) }
    let width = texts.compactMap { $0?.count }.max() ?? 0
    return texts.map { text in
      text.map { .text(String(repeating: " ", count: width - $0.count) + $0) } ?? .null
    }
  }
}
