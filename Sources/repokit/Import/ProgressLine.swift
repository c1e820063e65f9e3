/// How far a job is, as one line.
struct ProgressLine {
  let job: String
  /// How many bytes are to be read; `nil` where nobody knows.
  let total: Int?
  var rows: Int?
  var bytes = 0

  init(job: String, total: Int?, rows: Int? = nil, bytes: Int = 0) {
    self.job = job
    self.total = total
    self.rows = rows
    self.bytes = bytes
  }

  /// The line, as much of it as there is room for.
  ///
  /// - Parameters:
  ///   - time: how long it has taken so far.
  ///   - width: the columns that there are.
  func text(after time: Duration, width: Int) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    var parts: [String] = []
    if let total, total > 0 {
      let share = min(1, Double(bytes) / Double(total))
      parts.append("\(bar(share)) \(Self.padded(Int(share * 100), 3)) %")
    }
    if let rows { parts.append("\(Self.grouped(rows)) rows") }
    parts.append(total.map { "\(Self.size(bytes)) of \(Self.size($0))" } ?? Self.size(bytes))
    // A rate of the first moments says nothing.
    if seconds >= 0.5 {
      let rowRate = rows.map { "\(Self.grouped(Int(Double($0) / seconds))) rows/s" }
      parts.append(rowRate ?? "\(Self.size(Int(Double(bytes) / seconds)))/s")
      if let total, bytes > 0, total > bytes {
        parts.append("\(Self.time(seconds * Double(total - bytes) / Double(bytes))) left")
      }
    }
    // The first parts say most.
    var line = job
    for part in parts {
      let longer = "\(line)  \(part)"
      if TerminalText.columns(of: longer) > width { break }
      line = longer
    }
    while TerminalText.columns(of: line) > width { line.removeLast() }
    return line
  }

  private func bar(_ share: Double) -> String {
    let filled = Int(share * 20)
    return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: 20 - filled))]"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = number.description
    return String(repeating: " ", count: max(0, width - digits.utf8.count)) + digits
  }

  /// A number with commas between thousands.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in number.description.reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3), digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// A number of bytes in the unit that suits it.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "KB", "MB", "GB", "TB"]
    while value >= 1_000, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    if unit == 0 { return "\(bytes) B" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// A time to wait, in whole units.
  static func time(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "more than 99 h" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
  }
}
