#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a user's files of one kind are, by the XDG Base Directory Specification:
/// https://specifications.freedesktop.org/basedir-spec/latest/
enum UserFolder {
  case configuration
  case state

  private var variable: String {
    switch self {
    case .configuration: "XDG_CONFIG_HOME"
    case .state: "XDG_STATE_HOME"
    }
  }

  private var standard: String {
    switch self {
    case .configuration: ".config"
    case .state: ".local/state"
    }
  }

  /// This tool's folder, which need not be there; `nil` where the user has no home.
  var path: String? {
    // A path that is not absolute is to be ignored.
    if let folder = Self.absolute(variable) { return folder + "/repokit" }
    return Self.absolute("HOME").map { "\($0)/\(standard)/repokit" }
  }

  private static func absolute(_ variable: String) -> String? {
    guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
    return value
  }
}
