import Query

/// Numbers that are easy to compare: six significant digits.
enum ShortNumber {
  private static let digits = 6

  /// A number with as many decimal places as needed; trailing zeros are left out.
  static func text(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    let magnitude = number.magnitude
    // Very large and very small ones have an exponent anyway.
    guard number != 0, 1e-5..<1e15 ~= magnitude else { return trimmed("\(number)") }
    var places = digits - 1
    var power = 1.0
    while power * 10 <= magnitude {
      power *= 10
      places -= 1
    }
    while power > magnitude {
      power /= 10
      places += 1
    }
    guard places > 0 else { return "\(Int(number.rounded()))" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((magnitude * scale).rounded())
    let fraction = String(scaled % Int(scale))
    let text = "\(scaled / Int(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    let isNegative = number < 0 && scaled != 0
    return (isNegative ? "-" : "") + trimmed(text)
  }

  /// The number that the text represents.
  static func rounded(_ number: Double) -> Double { number.isFinite ? Double(text(number)) ?? number : number }

  /// Removes trailing zeros after the decimal point.
  private static func trimmed(_ text: String) -> String {
    guard text.contains("."), !text.contains("e") else { return text }
    var text = text[...]
    while text.last == "0" { text = text.dropLast() }
    if text.last == "." { text = text.dropLast() }
    return String(text)
  }
}

/// Readable numbers of bytes.
enum ByteSize {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]

  /// A size in the unit that leaves one to four digits: `512 B`, `1.5 KiB`, `37 MiB`.
  static func text(_ bytes: Int) -> String {
    let unit = unit(of: bytes)
    return "\(amount(bytes, unit)) \(units[unit])"
  }

  /// A part of a larger size, in the unit that suits the latter: `0.5 of 1.5 KiB`.
  static func text(_ bytes: Int, of total: Int) -> String {
    let unit = unit(of: total)
    return "\(amount(bytes, unit)) of \(amount(total, unit)) \(units[unit])"
  }

  private static func unit(of bytes: Int) -> Int {
    var (size, unit) = (Double(bytes), 0)
    while size.rounded() >= 1_024, unit < units.count - 1 {
      size /= 1_024
      unit += 1
    }
    return unit
  }

  private static func amount(_ bytes: Int, _ unit: Int) -> String {
    var size = Double(bytes)
    for _ in 0..<unit { size /= 1_024 }
    let tenths = Int((size * 10).rounded())
    let isExact = unit == 0 || tenths >= 100
    return isExact ? "\(Int(size.rounded()))" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Sizes, padded with leading blanks so that they are aligned right.
  static func aligned(_ sizes: [Int?]) -> [Value] {
    let texts = sizes.map { $0.map(text) }
    let width = texts.compactMap { $0?.count }.max() ?? 0
    return texts.map { text in
      text.map { .text(String(repeating: " ", count: width - $0.count) + $0) } ?? .null
    }
  }
}
