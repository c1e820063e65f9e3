/// Connection strings of libpq, of both forms: https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
package enum ConnectionString {
  /// A connection string with more parameters, which take the place of its own ones of the same names.
  package static func extended(_ connection: String, by parameters: KeyValuePairs<String, String>) -> String {
    guard let scheme = ["postgresql://", "postgres://"].first(where: { connection.hasPrefix($0) }) else {
      return ([connection] + parameters.map { "\($0.key)=\(quoted($0.value))" }).joined(separator: " ")
    }
    let query = parameters.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    // What stands before an @ may hold anything but a slash.
    let rest = connection.dropFirst(scheme.count)
    let end = rest.firstIndex { $0 == "@" || $0 == "/" }
    let place = end.map { rest[$0] == "@" ? rest[$0...] : rest } ?? rest
    let separator = !place.contains("?") ? "?" : place.hasSuffix("?") || place.hasSuffix("&") ? "" : "&"
    return connection + separator + query
  }

  /// A setting of the server as one of its command line's options, which are split at blanks.
  package static func option(_ name: String, _ value: String) -> String {
    "-c \(name)=" + value.map { $0 == "\\" || $0.isWhitespace ? "\\\($0)" : "\($0)" }.joined()
  }

  private static func quoted(_ value: String) -> String {
    "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
