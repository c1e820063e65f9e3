extension Role {
  /// Tells the experiment what was found.
  static func tell(_ finding: Finding) {
    for figure in finding.figures { tell("figure \(figure)") }
    for fault in finding.faults { tell("fault \(fault.replacing("\n", with: " "))") }
  }
}

extension Helper {
  /// What the role found, at its end. It counts as a fault if that was not a good one.
  func finding() async -> Finding {
    var finding = Finding()
    var last = "nothing"
    for line in await lines() {
      if line.hasPrefix("figure ") {
        finding.note(String(line.dropFirst(7)))
      } else if line.hasPrefix("fault ") {
        finding.expect(false, String(line.dropFirst(6)))
      } else {
        last = line
      }
    }
    if let end = await wait() { finding.expect(false, "the process \(end) after \(last)") }
    return finding
  }
}
