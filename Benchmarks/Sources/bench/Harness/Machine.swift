import Foundation

/// What everything was measured on.
enum Machine {
  static func description(sqlite: String?, toolchain: String?) -> String {
    let process = ProcessInfo.processInfo
    var parts = ["\(process.activeProcessorCount) cores", process.operatingSystemVersionString]
    if let processor { parts.insert(processor, at: 0) }
    if let sqlite { parts.append("SQLite \(sqlite)") }
    if let toolchain { parts.append(toolchain) }
    return parts.joined(separator: ", ")
  }

  /// The processor's name, where the system tells it in a file.
  private static var processor: String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") })
    else { return nil }
    return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
