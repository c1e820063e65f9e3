/// Words as a POSIX shell reads them.
enum ShellWord {
  /// A word as it is where that is safe, and else in single quotes.
  /// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: ":"):
        true
      default: byte >= 0x80
      }
    }
    if isPlain { return word }
    // A quote within ends the quotes, stands for itself, and begins them anew.
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
