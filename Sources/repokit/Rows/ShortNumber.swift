/// Numbers for people who compare them rather than reckon with them: six digits that count.
enum ShortNumber {
  private static let digits = 6

  /// A number with as many digits behind the point as it takes; zeros at its end are left out.
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

  /// The number that the text says.
  static func rounded(_ number: Double) -> Double { number.isFinite ? Double(text(number)) ?? number : number }

  /// Takes zeros off that stand behind a point.
  private static func trimmed(_ text: String) -> String {
    guard text.contains("."), !text.contains("e") else { return text }
    var text = text[...]
    while text.last == "0" { text = text.dropLast() }
    if text.last == "." { text = text.dropLast() }
    return String(text)
  }
}
