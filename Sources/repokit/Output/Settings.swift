#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

import SQLiteStore

/// The settings of the tool that a command's own arguments don't give: those of the configuration file, and those of the
/// options that every command takes.
struct Settings {
  var color = ColorChoice.auto
  /// The program for long output on a terminal; no pager where it is empty. `nil` for PAGER, or else `less`.
  var pager: String?
  /// The format in which rows are printed; `nil` for the default, which depends on the output.
  var format: FormatName?
  /// Whether failures include all details, such as the SQL.
  var isVerbose = false
  /// Whether only errors and questions go to the standard error.
  var isQuiet = false
  /// Whether the call can choose the columns of its rows.
  var canChooseColumns = false
  /// How the rows of a call are written.
  var rowText = RowText()

  init() {}
}

/// The configuration file of a user: a line for each setting, `name = value`, with
/// comments after `#` at the start of a line.
struct ConfigurationFile {
  /// A setting that the file may contain.
  enum Key: String, CaseIterable {
    case color
    case format
    case pager

    /// Its description for the help.
    var help: String {
      switch self {
      case .color: "As the option --color: auto, always or never."
      case .format: "The default of --format, on a terminal and elsewhere."
      case .pager: "The pager for long output, instead of PAGER; empty for none."
      }
    }
  }

  let path: String

  /// The user's own file, which may be missing; `nil` for a user without a home folder.
  static var standard: ConfigurationFile? {
    UserFolder.configuration.path.map { ConfigurationFile(path: $0 + "/config") }
  }

  /// Reads the file; where there is none, the settings are the defaults.
  ///
  /// - Throws: ``Failure`` that names the line where a setting or its value is unknown.
  func settings() throws(Failure) -> Settings {
    guard FileKind(ofPath: path) != .missing else { return Settings() }
    // It may be another user's, whose home this program was left with.
    guard access(path, R_OK) == 0 else {
      StandardStreams.say("note: skipped \(path), which repokit can't read")
      return Settings()
    }
    return try settings(in: try TextFile.text(at: path))
  }

  /// Reads the settings in a text.
  func settings(in text: String) throws(Failure) -> Settings {
    var settings = Settings()
    var seen: Set<Key> = []
    for (position, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let place = "\(path), line \(position + 1)"
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
      guard parts.count == 2 else {
        throw Failure("\(place): expected `name = value`, found \(TerminalText.quoted(line))")
      }
      guard let key = Key(rawValue: parts[0]) else {
        throw Failure(
          "\(place): unknown setting \(TerminalText.quoted(parts[0]))",
          details: [.among(Key.allCases.map(\.rawValue), nearestTo: parts[0])])
      }
      if !seen.insert(key).inserted { throw Failure("\(place): \(key.rawValue) is given twice") }
      switch key {
      case .color: settings.color = try Self.choice(parts[1], at: place)
      case .format: settings.format = try Self.choice(parts[1], at: place)
      case .pager: settings.pager = parts[1]
      }
    }
    return settings
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, at place: String
  ) throws(Failure) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    throw Failure(
      "\(place): invalid value \(TerminalText.quoted(text))",
      details: [.among(Choice.allCases.map(\.rawValue), nearestTo: text)])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return String(start.prefix(start.reversed().drop { $0 == " " || $0 == "\t" }.count))
  }
}
