import Query
import SQLiteStore

/// Profiles as JSON, in which lists are lists.
struct ProfileJSON {
  private let isOneArray: Bool

  /// - Returns: `nil` for a format that is no JSON.
  init?(_ format: FormatName) {
    switch format {
    case .json: isOneArray = true
    case .ndjson: isOneArray = false
    default: return nil
    }
  }

  func text(_ profiles: [ProfileRow]) -> String {
    let plain = JSONObject(ProfileRow.plainHeadings.map(\.name))
    let objects = profiles.map { profile in
      let lists = Self.lists(of: profile)
      // In the place of the closing brace.
      return Self.text { plain.append(profile.plain, to: &$0) }.dropLast()
        + ",\"common\":\(lists.common),\"histogram\":\(lists.histogram ?? "null")}"
    }
    if !isOneArray { return objects.map { $0 + "\n" }.joined() }
    return objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
  }

  /// The most common values and the histogram.
  static func lists(of row: ProfileRow) -> (common: String, histogram: String?) {
    let frequency = JSONObject(["value", "count"])
    let common = row.profile.common.map { common in
      text { frequency.append([common.value, .count(common.count)], to: &$0) }
    }
    let histogram = row.profile.histogram.map { histogram in
      let bounds = JSONObject(["from", "to", "width"])
      return text { bounds.append([.real(histogram.lower), .real(histogram.upper), .real(histogram.width)], to: &$0) }
        .dropLast()
        + ",\"counts\":[\(histogram.counts.map(String.init).joined(separator: ","))]}"
    }
    return ("[\(common.joined(separator: ","))]", histogram.map(String.init))
  }

  private static func text(_ write: (inout OutputBuffer) -> Void) -> String {
    var buffer = OutputBuffer { _ in }
    write(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
