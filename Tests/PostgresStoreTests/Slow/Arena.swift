import PostgresStore
import Query
import Repository
import SQL
import TestSupport

/// One table with the same rows in several stores.
struct Arena {
  let table: TableSchema
  let stores: [(name: String, repository: AnyRepository<Record>)]
  /// What a web API shows of the rows of one of the stores; `nil` where a route can't have the table's name.
  let web: AnyRepository<Record>?

  /// All rows, as the first store has them.
  func rows() async throws -> [Record] { try await stores[0].repository.findAll(FetchRequest()) }

  private var readers: [(name: String, repository: AnyRepository<Record>)] {
    stores + (web.map { [("over HTTP", $0)] } ?? [])
  }

  func answers(to question: Question) async -> [Answer] {
    var answers: [Answer] = []
    for (_, repository) in readers { answers.append(await question.answer(of: repository)) }
    return answers
  }

  /// A question to which the answers differ, made as small as can be, in the form that helps to find the mistake: as
  /// text, as Swift and as SQL.
  func report(of question: Question) async throws -> String {
    let (small, rows) = try await shrunk(question)
    var lines = Compiler(for: PostgresDialect()).create(table)
    for row in rows { lines.append("row: \(row.values.map(\.description).joined(separator: ", "))") }
    lines.append(small.description)
    if let sql = small.sql(of: table) { lines.append("SQL: \(sql)") }
    for (name, repository) in readers { lines.append("\(name): \(await small.answer(of: repository))") }
    // A NUL would end the report.
    return lines.joined(separator: "\n").split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }

  /// Makes a question smaller, and the rows fewer, as long as the answers differ.
  private func shrunk(_ question: Question) async throws -> (question: Question, rows: [Record]) {
    var small = question
    while let smaller = await smaller(than: small) { small = smaller }
    // Halves first, then ever smaller parts.
    var rows = try await self.rows()
    var size = rows.count / 2
    while size > 0 {
      var start = 0
      while start < rows.count {
        var fewer = rows
        fewer.removeSubrange(start..<min(start + size, rows.count))
        // A view takes no rows.
        guard (try? await replaceRows(by: fewer)) != nil else { return (small, rows) }
        if await answers(to: small).areAlike { start += size } else { rows = fewer }
      }
      size /= 2
    }
    try await replaceRows(by: rows)
    return (small, rows)
  }

  /// A question that is simpler by one step, to which the answers differ, too.
  private func smaller(than question: Question) async -> Question? {
    for candidate in question.smaller {
      if !(await answers(to: candidate).areAlike) { return candidate }
    }
    return nil
  }

  private func replaceRows(by rows: [Record]) async throws {
    // The last store first: it is the one that may refuse.
    for (_, repository) in stores.reversed() {
      _ = try await repository.delete(where: .true)
      try await repository.save(rows)
    }
  }
}

/// What is asked of a table.
enum Question: CustomStringConvertible {
  case find(FetchRequest)
  case count(AnyQuery)
  case aggregate(AggregateRequest)
  case project(ProjectionRequest)

  static func random(_ draw: inout RandomRequests) -> Question {
    switch draw.random.below(10) {
    case 0: .count(draw.request().query)
    case 1, 2: .aggregate(draw.aggregates())
    case 3, 4: .project(draw.projection())
    default: .find(draw.request())
    }
  }

  func answer(of repository: AnyRepository<Record>) async -> Answer {
    do throws(RepositoryError) {
      switch self {
      case .find(let request): return .rows(try await repository.findAll(request).map(\.values))
      case .count(let query): return .rows([[.integer(Int64(try await repository.count(query)))]])
      case .aggregate(let request):
        return .rows(try await repository.aggregate(request).map { $0.keys + $0.aggregates })
      case .project(let request): return .rows(try await repository.findRows(request))
      }
    } catch {
      return .error(error)
    }
  }

  var description: String {
    switch self {
    case .find(let request):
      """
      find: \(request.query)
      sort: \(request.sort) limit: \(request.limit.map(String.init) ?? "none") offset: \(request.offset) \
      after: \(request.after?.description ?? "none") before: \(request.before?.description ?? "none")
      Swift: \(SwiftSource.of(request))
      """
    case .count(let query): "count: \(query)"
    case .aggregate(let request):
      """
      aggregate: \(request.aggregates.map(\.description).joined(separator: ", ")) of \(request.query)
      grouped by: \(request.groupKeys) having: \(request.having) sort: \(request.order) limit: \(request.limit.map(String.init) ?? "none")
      """
    case .project(let request):
      """
      project: \(request.columns.map(\.description).joined(separator: ", ")) distinct: \(request.isDistinct)
      first: \(request.groupLimit.map { "\($0)" } ?? "all") of \(request.rows.query)
      sort: \(request.rows.sort) limit: \(request.rows.limit.map(String.init) ?? "none") offset: \(request.rows.offset) \
      after: \(request.rows.after?.description ?? "none") before: \(request.rows.before?.description ?? "none")
      """
    }
  }

  /// What PostgreSQL is asked; `nil` where it is not.
  func sql(of table: TableSchema) -> String? {
    let compiler = Compiler(for: PostgresDialect())
    switch self {
    case .find(let request): return (try? request.resolved(in: table)).map { compiler.select($0).sql }
    case .count(let query): return (try? query.resolved(in: table)).map { compiler.count($0).sql }
    case .aggregate(let request): return (try? request.resolved(in: table)).map { compiler.select($0).sql }
    case .project(let request): return (try? request.resolved(in: table)).map { compiler.select($0).sql }
    }
  }

  /// Questions that are simpler by one step.
  var smaller: [Question] {
    switch self {
    case .find(let request): request.smaller.map(Question.find)
    case .count(let query): FetchRequest(query).smaller.map { Question.count($0.query) }
    case .aggregate(let request): request.smaller.map(Question.aggregate)
    case .project(let request): request.smaller.map(Question.project)
    }
  }
}

extension AggregateRequest {
  fileprivate var smaller: [AggregateRequest] {
    var candidates: [AggregateRequest] = []
    func add(_ change: (inout AggregateRequest) -> Void) {
      var candidate = self
      change(&candidate)
      candidates.append(candidate)
    }
    if limit != nil { add { $0.limit = nil } }
    if order != .group { add { $0.order = .group } }
    for index in aggregates.indices { add { $0.aggregates.remove(at: index) } }
    for index in groupKeys.indices { add { $0.groupKeys.remove(at: index) } }
    for request in FetchRequest(query).smaller { add { $0.query = request.query } }
    if having != .true { add { $0.having = .true } }
    for request in FetchRequest(having).smaller { add { $0.having = request.query } }
    for index in aggregates.indices where aggregates[index].query != .true {
      add { $0.aggregates[index] = AnyAggregate($0.aggregates[index].function, of: $0.aggregates[index].key) }
    }
    return candidates
  }
}

/// What a store answers.
enum Answer: CustomStringConvertible {
  case rows([[Value]])
  case error(RepositoryError)

  var description: String {
    switch self {
    case .rows(let rows): WriteStep.text(rows)
    case .error(let error): "\(error.code.rawValue): \(error)"
    }
  }

  /// Whether the rows are the same in the same order, or the errors have the same code.
  func isAlike(_ other: Answer) -> Bool {
    switch (self, other) {
    case (.rows(let lhs), .rows(let rhs)):
      lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { lhs, rhs in lhs.areAlike(rhs) }
    case (.error(let lhs), .error(let rhs)): lhs.code == rhs.code
    default: false
    }
  }
}

extension [Answer] {
  var areAlike: Bool { dropFirst().allSatisfy { $0.isAlike(self[0]) } }
}

extension [Value] {
  /// Whether the values are equal, and numbers of the same type; the sign of a zero does not count.
  func areAlike(_ other: [Value]) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { lhs, rhs in
        switch (lhs, rhs) {
        case (.integer, .real), (.real, .integer): false
        default: lhs == rhs
        }
      }
  }
}
