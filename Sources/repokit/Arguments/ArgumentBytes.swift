/// The arguments as the system hands them over.
enum ArgumentBytes {
  /// Refuses what is no text: Swift would put other characters in the place of bytes that are not UTF-8, and a value would be
  /// stored that nobody wrote.
  static func check() throws(Failure) {
    for position in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[position], String(validatingCString: argument) == nil else {
        continue
      }
      throw Failure(
        "argument \(position) is not valid UTF-8: \(TerminalText.quoted(String(cString: argument)))",
        details: ["use a terminal, or a script, whose texts are UTF-8"], status: .misused)
    }
  }
}
