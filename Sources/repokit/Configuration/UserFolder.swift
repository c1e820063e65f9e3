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
  var path: String? { path { variable in getenv(variable).map { String(cString: $0) } } }

  /// The same in an environment.
  func path(environment: (String) -> String?) -> String? {
    // A path that is not absolute is to be ignored.
    func absolute(_ variable: String) -> String? { environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let folder = absolute(variable) { return folder + "/repokit" }
    return absolute("HOME").map { "\($0)/\(standard)/repokit" }
  }
}
