import Query

/// The URI of a PostgreSQL database, as far as needed to show one safely: libpq parses it.
///
/// https://www.postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.6
struct ConnectionURI: CustomStringConvertible {
  /// The text that is passed to libpq.
  let text: String
  /// The URI without a password, and without other parameters that may be secret.
  let description: String
  /// The name of the database, if the URI contains it.
  let databaseName: String
  /// Whether the URI contains something that must not be stored, such as a password.
  let isSecret: Bool
  /// Whether a part of a password may have been parsed as something else.
  let isMalformed: Bool
  /// Whether sessions keep prepared statements, which they don't behind PgBouncer in transaction mode: a parameter of this
  /// tool's own, since libpq has none.
  let keepsStatements: Bool

  private static let schemes = ["postgresql://", "postgres://"]
  /// The parameters that are no secrets, and tell databases apart.
  private static let shownParameters = ["host", "hostaddr", "port", "dbname", "user", "service"]
  private static let ownParameter = "prepared_statements"

  /// The parts of parameter names whose values are secrets.
  private static let secretWords = ["pass", "secret", "key"]

  /// Reads a URI, or libpq's other form, `host=… dbname=…`.
  ///
  /// - Returns: `nil` for a text that is neither.
  init?(_ text: String) {
    let text = Self.uri(ofKeywords: text) ?? text
    guard let scheme = Self.schemes.first(where: { text.prefix($0.count).lowercased() == $0 }) else { return nil }
    var rest = text.dropFirst(scheme.count)
    // As libpq does: the first @ ends the user's name and password, unless a slash is before it.
    var user: Substring?
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
      user = rest[..<end]
      rest = rest[end...].dropFirst()
    }
    let hosts = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest.dropFirst(hosts.count)
    let path = rest.prefix { $0 != "?" }
    let query = rest.dropFirst(path.count + 1).split(separator: "&", omittingEmptySubsequences: false)
    let own = ["false", "true"].map { "\(Self.ownParameter)=\($0)" }
    keepsStatements = !query.contains { $0 == own[0] }
    let isOwn = query.contains { own.contains(String($0)) }
    // libpq knows the scheme only in lowercase.
    let left = query.filter { !own.contains(String($0)) }.joined(separator: "&")
    let head = text.dropFirst(scheme.count).dropLast(rest.count - path.count)
    self.text = scheme + (isOwn ? head + (left.isEmpty ? "" : "?\(left)") : text.dropFirst(scheme.count))
    let parameters = query.filter { !$0.isEmpty && !own.contains(String($0)) }.map { parameter in
      parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    func name(_ parameter: [Substring]) -> String { Self.decoded(parameter[0]) }

    isMalformed =
      (hosts + path).contains("@") || parameters.contains { $0.count < 2 }
      || hosts.split(separator: ",").contains { !Self.hasPortAlone($0) }
    isSecret =
      isMalformed || user?.contains(":") == true
      || parameters.contains { parameter in Self.secretWords.contains { name(parameter).contains($0) } }
    let database = parameters.last { $0.count == 2 && name($0) == "dbname" }?[1] ?? path.dropFirst()
    databaseName = isMalformed || database.isEmpty ? "postgresql" : Self.decoded(database)
    let shown = parameters.filter { Self.shownParameters.contains(name($0)) }.map { $0.joined(separator: "=") }
    let shownUser = user.map { "\($0.prefix { $0 != ":" })@" } ?? ""
    description =
      isMalformed
      ? "\(scheme)…" : scheme + shownUser + hosts + path + (shown.isEmpty ? "" : "?\(shown.joined(separator: "&"))")
  }

  /// Whether only a number follows the colon of a host, which may be an IPv6 address in brackets.
  private static func hasPortAlone(_ host: Substring) -> Bool {
    let end = host.hasPrefix("[") ? host.lastIndex(of: "]") ?? host.startIndex : host.startIndex
    guard let colon = host[end...].firstIndex(of: ":") else { return true }
    return host[colon...].dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Texts that hold one

  /// Returns a text in which each URI is in the form that may be shown.
  static func redacting(_ text: String) -> String {
    var (redacted, rest) = ("", text[...])
    while let start = start(in: rest) {
      redacted += rest[..<start]
      rest = rest[start...]
      let word = rest.prefix { !$0.isWhitespace }
      // Punctuation at the end of a clause is not part of it.
      let bare = word[...(word.lastIndex { !":;,.)\"'".contains($0) } ?? word.startIndex)]
      if let uri = ConnectionURI(String(bare)), !uri.isSecret {
        redacted += uri.description
        rest = rest[bare.endIndex...]
      } else {
        // A password may hold blanks.
        let at = ConnectionURI(String(word))?.isMalformed == false ? nil : rest.lastIndex(of: "@")
        let end = max(word.endIndex, at.map { rest[$0...].prefix { !$0.isWhitespace }.endIndex } ?? word.endIndex)
        redacted += ConnectionURI(String(rest[..<end]))?.description ?? ""
        rest = rest[end...]
      }
    }
    return redactingKeywords(redacted + rest)
  }

  /// Returns a text without the passwords of libpq's other form.
  private static func redactingKeywords(_ text: String) -> String {
    text.replacing(#/((?i:password|passfile)\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s"]+)/#) { "\($0.1)…" }
  }

  /// Returns whether a text contains a URI with a password.
  static func isSecret(in text: String) -> Bool {
    if redactingKeywords(text) != text { return true }
    var rest = text[...]
    while let start = start(in: rest) {
      if ConnectionURI(String(rest[start...].prefix { !$0.isWhitespace }))?.isSecret != false { return true }
      rest = rest[start...].dropFirst()
    }
    return false
  }

  /// Returns the start of the next URI.
  private static func start(in text: Substring) -> String.Index? {
    text.indices.first { index in
      let start = text[index...].prefix(13).lowercased()
      return schemes.contains(where: start.hasPrefix)
    }
  }

  // MARK: What is wrong with one

  /// The message on a URI that libpq would misread.
  static let unreadable = Failure(
    "can't parse the connection string",
    details: [
      "in a password, write %40 for @, %2F for /, %3A for :, and %3F for ?",
      "or put the password in ~/.pgpass or PGPASSWORD",
    ], status: .usageError)

  /// The message on a text that is not a file, and that may be a URI with a mistake at its start.
  static let mistyped = Failure(
    "no such file; a server needs another form",
    details: ["write postgresql://USER@HOST/DATABASE"], status: .usageError)

  /// The message on the URI of another kind of database, which is no file; `nil` for any other text.
  static func foreign(_ text: String) -> Failure? {
    guard let end = text.firstRange(of: "://"), text[..<end.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber }),
      !text.hasPrefix("://")
    else { return nil }
    return Failure(
      "there is no file \(text), and repokit does not know \(text[..<end.upperBound])",
      details: ["name an SQLite file, or postgresql://USER@HOST/DATABASE"], status: .usageError)
  }

  /// Whether a text looks like a URI with a mistake at its start, which may contain a password.
  static func isMistyped(_ text: String) -> Bool {
    let scheme = text.prefix { $0.isLetter }
    let rest = text.dropFirst(scheme.count)
    let isNear = NearestName.nearest(to: scheme.lowercased(), in: ["postgresql", "postgres"]) != nil
    if isNear, rest.first == ":" || rest.hasPrefix("/") && rest.contains("@") { return true }
    guard let at = text.lastIndex(of: "@") else { return false }
    return text[..<at].contains(":")
  }

  /// The URI of a connection string of libpq's other form; `nil` for another text.
  ///
  /// https://www.postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.5
  private static func uri(ofKeywords text: String) -> String? {
    guard isKeywordString(text) else { return nil }
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    var parameters: [String] = []
    var rest = text[...]
    while let sign = rest.firstIndex(of: "=") {
      let name = rest[..<sign].filter { !$0.isWhitespace }
      rest = rest[sign...].dropFirst().drop(while: \.isWhitespace)
      var value = ""
      let isQuoted = rest.first == "'"
      if isQuoted { rest.removeFirst() }
      while let character = rest.first, isQuoted ? character != "'" : !character.isWhitespace {
        rest.removeFirst()
        // A backslash escapes the next character.
        value.append(character == "\\" ? rest.popFirst() ?? character : character)
      }
      if isQuoted { rest = rest.dropFirst() }
      let encoded = value.utf8.map { byte in
        plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      parameters.append("\(name)=\(encoded.joined())")
    }
    return schemes[0] + "?" + parameters.joined(separator: "&")
  }

  /// Whether a text is a connection string of libpq's other form, `host=… dbname=…`.
  private static func isKeywordString(_ text: String) -> Bool {
    let keywords = shownParameters + ["password", "passfile", "sslmode", "connect_timeout"]
    // A file name may contain such a word, too, but hardly begins with it.
    return keywords.contains { text.drop(while: \.isWhitespace).hasPrefix("\($0)=") }
  }
}
