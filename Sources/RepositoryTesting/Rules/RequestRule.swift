import Query
import Repository

/// A rule of requests: elements, requests with hand-written answers, and the application of the same requests to samples of
/// any model.
struct RequestRule: Sendable {
  let name: String
  let features: Set<RepositoryFeature>
  /// The elements that are saved before the requests are made.
  let elements: [Specimen]
  let rows: [RequestRow]
  /// The application of the requests to samples; `nil` if samples can't show the rule.
  let samples: SampleRequests?
  /// A check that a table can't express, such as requests that are made in a loop.
  let check: (@Sendable (SpecimenContext) async throws -> Void)?

  init(
    _ name: String, among elements: [Specimen] = [], needs features: Set<RepositoryFeature> = [],
    _ rows: [RequestRow] = [], samples: SampleRequests? = nil,
    check: (@Sendable (SpecimenContext) async throws -> Void)? = nil
  ) {
    self.name = name
    self.features = features
    self.elements = elements
    self.rows = rows
    self.samples = samples
    self.check = check
  }

  /// The rule with its hand-written answers.
  var handWritten: SpecimenRule {
    SpecimenRule(name, among: elements, needs: features) { context in
      for row in rows { try await row.check(context, count: elements.count) { Int($0) } }
      try await check?(context)
    }
  }
}

extension ConformanceRule {
  /// Makes a rule of requests whose answers are written by hand.
  init<Model: ConformanceModel>(
    _ name: String, among elements: [Model], _ rows: [RequestRow],
    key: @escaping @Sendable (Substring) -> Model.ID?
  ) where Subject == AnyRepository<Model> {
    self.init(name, among: elements) { context in
      for row in rows { try await row.check(context, count: elements.count, key: key) }
    }
  }
}

/// A request and its answer.
///
/// A text has the form `where | sort | limit, offset, by → answer`: a query in its text form, which may be followed by a sort,
/// a limit and an offset (a number, `max`, `min`, or `count` for the number of all elements), an arrow, and the keys of the
/// found elements: `age > 4 | age desc | limit 2 → 3 1`. Aggregates come before `of`, their groups after `by`, a condition on
/// groups after `having`, and each row of the answer after an arrow of its own: `count, sum(age) of age > 1 → 2 5`. Instead of
/// an answer, `!` means that the request is refused as an invalid query; the text after `!` is the suggestion.
///
/// A write has the form `set age = 7 where age = 2 → 2` or `delete where age = 2 → 2`, whose answer is the number of elements; in
/// its answer, the code of an error follows `!`, and the name in the error's message: `set label = 'a' where true → ! conflict label`.
enum RequestRow: Sendable, ExpressibleByStringInterpolation {
  case text(String)
  /// A query that has no text form, or whose values have types of their own.
  case query(AnyQuery, [Int])
  /// A request that is refused as an invalid query.
  case refused(FetchRequest, suggesting: String? = nil)
  /// Aggregates that fail with an error.
  case failure(String, RepositoryError.Code, naming: String? = nil, suggesting: String? = nil)

  init(stringLiteral text: String) { self = .text(text) }

  /// Makes the request, and checks its answer.
  ///
  /// - Parameters:
  ///   - count: the number of all elements.
  ///   - key: returns the key that a word of the answer means.
  func check<Model: Storable>(
    _ context: CheckContext<AnyRepository<Model>>, count: Int, key: (Substring) -> Model.ID?
  ) async throws {
    switch self {
    case .text(let text):
      let parts = text.split(separator: "→", omittingEmptySubsequences: false).map(\.trimmed)
      let answer = parts.count > 1 ? parts[1] : ""
      if let write = try TextWrite(parts[0]) { return await write.check(context, answer) }
      let suggestion = answer.dropFirst().isEmpty ? nil : String(answer.dropFirst().trimmed)
      switch try TextRequest(parts[0]).request(count: count) {
      case .aggregates(let request):
        await context.expect(request, of: context.subject, Array(parts.dropFirst().filter { !$0.isEmpty }))
      case .query(let query) where answer.hasPrefix("!"):
        await context.expectRefusal(of: query, suggesting: suggestion)
      case .query(let query):
        await context.expect(query, findsAll: answer.split(separator: " ").compactMap(key))
      case .fetch(let request) where answer.hasPrefix("!"):
        await context.expectRefusal(of: request, suggesting: suggestion)
      case .fetch(let request):
        await context.expect(request, finds: answer.split(separator: " ").compactMap(key))
      }
    case .query(let query, let ids): await context.expect(query, findsAll: ids.compactMap { key("\($0)") })
    case .refused(let request, let suggestion):
      if request == FetchRequest(request.query) {
        await context.expectRefusal(of: request.query, suggesting: suggestion)
      } else {
        await context.expectRefusal(of: request, suggesting: suggestion)
      }
    case .failure(let text, let code, let name, let suggestion):
      guard case .aggregates(let request) = try TextRequest(text).request(count: count) else { return }
      await context.expect(request.question, throws: code, naming: name, suggesting: suggestion) {
        try await context.subject.aggregate(request).map(\.written)
      }
    }
  }

  /// Makes the row of a query that is refused as invalid.
  static func refused(_ query: AnyQuery, suggesting suggestion: String? = nil) -> RequestRow {
    .refused(FetchRequest(query), suggesting: suggestion)
  }

  /// The request with placeholders: `K` and `J` for keys, `:v` and `:w` for values; `nil` for a request without a text form.
  var form: String? {
    guard case .text(let text) = self, let request = text.split(separator: "→").first?.trimmed else { return nil }
    var (keys, values): ([String], [String]) = ([], [])
    let parts = request.split(separator: "|", omittingEmptySubsequences: false)
    func placeholder(_ token: String, _ seen: inout [String], _ names: [String]) -> String {
      // Tokens are compared by their bytes: to `String`, composed and decomposed characters are the same.
      let index = seen.firstIndex { $0.utf8.elementsEqual(token.utf8) } ?? seen.count
      if index == seen.count { seen.append(token) }
      return names[min(index, names.count - 1)]
    }
    let columns = Self.columns
    return parts.map { (part: Substring) -> String in
      // The number of a limit or an offset is no value of a column.
      if part.hasPrefix(" limit ") || part.hasPrefix(" offset ") { return String(part) }
      return TokenText.pieces(of: part).map { piece in
        columns.contains(piece.text)
          ? placeholder(piece.text, &keys, ["K", "J"])
          : piece.isLiteral ? placeholder(piece.text, &values, [":v", ":w", ":u"]) : piece.text
      }.joined()
    }.joined(separator: "|")
  }

  private static let columns = Set((try? Specimen.schema.table().columns.map(\.name)) ?? [])
}

/// A request as a text, in which `K`, `J` and `U` (one that is unknown) are variables for keys, and `:v`, `:w`, `:u`
/// and `:x` for values.
struct TextRequest {
  enum Request {
    case query(AnyQuery)
    case fetch(FetchRequest)
    case aggregates(AggregateRequest)
  }

  /// The parts between the bars, each cut at the placeholders of keys, since a request is made for many columns.
  private let parts: [[Piece]]
  /// The placeholders of values that the query has.
  private let parameters: [(position: Int, name: String)]
  private enum Piece {
    case text(String)
    /// A placeholder, by the position of its key.
    case key(Int)
  }

  init(_ text: String) {
    parts = text.split(separator: "|", omittingEmptySubsequences: false).map { part in
      TokenText.pieces(of: part.trimmed).map { piece in
        Self.placeholders.firstIndex { $0 == piece.text }.map(Piece.key) ?? .text(piece.text)
      }
    }
    parameters = ["v", "w", "u", "x"].enumerated().filter { text.contains(":\($0.element)") }
      .map { ($0.offset, $0.element) }
  }

  /// Returns the request with keys and values in the place of the placeholders.
  func request(keys: [String] = [], values: [Value] = [], count: Int) throws -> Request {
    var parts = parts.map { pieces in
      pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .key(let index):
          keys.isEmpty ? Self.placeholders[index] : "\"\(keys[index].replacing("\"", with: "\"\""))\""
        }
      }.joined()
    }
    var used: [String: Value] = [:]
    for (position, name) in parameters where position < values.count { used[name] = values[position] }
    let start = parts[0]
    var aggregates: [AnyAggregate]?
    let function = start.prefix(while: \.isLetter)
    if function == "keys" || AnyAggregate.Function(rawValue: String(function)) != nil {
      let pieces = start.split(separator: " of ", maxSplits: 1)
      aggregates = try function == "keys" ? [] : pieces[0].split(separator: ", ").map { try Self.aggregate($0, used) }
      parts[0] = pieces.count > 1 ? String(pieces[1]) : "true"
    }
    let query = try AnyQuery(parsing: parts[0], parameters: Self.used(in: parts[0], used))
    func number(_ word: String) -> Int? {
      word == "max" ? .max : word == "min" ? .min : word == "count" ? count : Int(word)
    }
    var (sort, limit, offset, groups) = ("", Int?.none, 0, [String]())
    var having = AnyQuery.true
    for part in parts.dropFirst() {
      let words = part.split(separator: " ", maxSplits: 1).map(String.init)
      switch words.first {
      case "limit": limit = number(words[1])
      case "offset": offset = number(words[1]) ?? 0
      case "by": groups = words[1].split(separator: ", ").map { Self.unquoted(String($0)) }
      case "having": having = try AnyQuery(parsingHaving: words[1], parameters: Self.used(in: words[1], used))
      default: sort = part
      }
    }
    if let aggregates {
      var request = AggregateRequest(aggregates, of: query, groupedBy: groups, having: having, limit: limit)
      if let name = sort.split(separator: " ").first {
        let aggregate = try Self.aggregate(name, used)
        request.order = sort.hasSuffix(" desc") ? .descending(aggregate) : .ascending(aggregate)
      }
      return .aggregates(request)
    }
    if parts.count == 1 { return .query(query) }
    return .fetch(FetchRequest(query, sortedBy: try AnySort(parsing: sort), limit: limit, offset: offset))
  }

  private static let placeholders = ["K", "J", "U"]

  private static func aggregate(_ text: Substring, _ values: [String: Value]) throws -> AnyAggregate {
    if text == "count" { return .count }
    return try AnyAggregate(parsing: String(text), parameters: used(in: String(text), values))
  }

  /// Returns the parameters that a part of the request names.
  private static func used(in text: String, _ values: [String: Value]) -> [String: Value] {
    values.filter { text.contains(":\($0.key)") }
  }

  private static func unquoted(_ key: String) -> String {
    key.hasPrefix("\"") ? String(key.dropFirst().dropLast()).replacing("\"\"", with: "\"") : key
  }
}

/// A write as a text.
private struct TextWrite {
  private let text: String
  private let query: AnyQuery
  /// The assignments of an update; `nil` for a deletion.
  private let assignments: [Assignment]?

  /// Reads the text of a write; `nil` for another text.
  init?(_ text: String) throws {
    let parts = text.split(separator: " where ", maxSplits: 1)
    guard parts.count == 2, parts[0] == "delete" || parts[0].hasPrefix("set ") else { return nil }
    self.text = text
    query = try AnyQuery(parsing: String(parts[1]))
    assignments = parts[0] == "delete" ? nil : try Assignment.list(parsing: String(parts[0].dropFirst(4)))
  }

  func check<Model: Storable>(_ context: CheckContext<AnyRepository<Model>>, _ answer: String) async {
    let write = {
      guard let assignments else { return try await context.subject.delete(where: query) }
      return try await context.subject.update(where: query, set: assignments)
    }
    let words = answer.split(separator: " ").map(String.init)
    guard words.first == "!" else { return await context.expect(text, Int(answer) ?? 0, write) }
    await context.expect(
      text, throws: RepositoryError.Code(rawValue: words[1]), naming: words.count > 2 ? words[2] : nil, write)
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
