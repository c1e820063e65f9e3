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

  /// The line, as much of it as there is room for: the bar gives way first, then the job's name, then what is at the end.
  ///
  /// - Parameters:
  ///   - time: how long it has taken so far.
  ///   - width: the columns that there are.
  func text(after time: Duration, width: Int) -> String {
    var parts = parts(after: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    while true {
      let figures = parts.map { "  \($0)" }.joined()
      let room = width - TerminalText.columns(of: figures)
      let needed = TerminalText.columns(of: job)
      if needed <= room { return job + bar(in: room - needed) + figures }
      if room >= Self.shortestJob || parts.isEmpty { return Self.start(of: job, in: room) + figures }
      parts.removeLast()
    }
  }

  /// The figures, the most important ones first.
  private func parts(after seconds: Double) -> [String] {
    var parts: [String] = []
    if let share { parts.append("\(Self.padded(Int(share * 100), 3)) %") }
    if let rows { parts.append("\(Self.grouped(rows)) rows") }
    parts.append(total.map { Self.sizes(bytes, of: $0) } ?? Self.size(bytes))
    // A rate of the first moments says nothing.
    guard seconds >= 0.5 else { return parts }
    let rowRate = rows.map { "\(Self.grouped(Int(Double($0) / seconds))) rows/s" }
    parts.append(rowRate ?? "\(Self.size(Int(Double(bytes) / seconds)))/s")
    if let total, bytes > 0, total > bytes {
      parts.append("\(Self.time(seconds * Double(total - bytes) / Double(bytes))) left")
    }
    return parts
  }

  /// How much of all is done; `nil` where nobody knows.
  private var share: Double? {
    total.flatMap { $0 > 0 ? min(1, Double(bytes) / Double($0)) : nil }
  }

  private func bar(in room: Int) -> String {
    guard let share, room >= Self.shortestBar + 4 else { return "" }
    let length = min(Self.longestBar, room - 4)
    let filled = Int(share * Double(length))
    return "  [\(String(repeating: "#", count: filled))\(String(repeating: "-", count: length - filled))]"
  }

  private static let longestBar = 20
  private static let shortestBar = 5
  private static let shortestJob = 6

  private static func start(of text: String, in room: Int) -> String {
    var start = text
    while !start.isEmpty, TerminalText.columns(of: start) > room || start.hasSuffix(" ") { start.removeLast() }
    return start
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

  private static let units = ["B", "KB", "MB", "GB", "TB"]

  /// A number of bytes in the unit that suits it.
  static func size(_ bytes: Int) -> String {
    let unit = unit(of: bytes)
    return "\(amount(bytes, unit)) \(units[unit])"
  }

  /// A number of bytes of a greater one, in the unit that suits that.
  static func sizes(_ bytes: Int, of total: Int) -> String {
    let unit = unit(of: total)
    return "\(amount(bytes, unit)) of \(amount(total, unit)) \(units[unit])"
  }

  private static func unit(of bytes: Int) -> Int {
    var value = Double(bytes)
    var unit = 0
    while value >= 1_000, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    return unit
  }

  private static func amount(_ bytes: Int, _ unit: Int) -> String {
    if unit == 0 { return bytes.description }
    var value = Double(bytes)
    for _ in 0..<unit { value /= 1_000 }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
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
