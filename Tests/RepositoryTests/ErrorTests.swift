import ErrorHandling
import Foundation
import Query
import Repository
import Testing

@Suite("Each border between layers translates every error, and loses none")
struct LayerTests {
  /// The codes that ``RepositoryError`` declares, read from its file, so that no new one is forgotten.
  private static var codes: [RepositoryError.Code] {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
      let source = try String(
        contentsOf: root.appending(path: "Repository/Errors/RepositoryError.swift"), encoding: .utf8)
      return source.matches(of: /static let \w+ = Code\(rawValue: "(\w+)"\)/).map {
        RepositoryError.Code(rawValue: "\($0.1)")
      }
    }
  }

  @Test("from the repository to the domain, every code")
  func repositoryToDomain() throws {
    let codes = try Self.codes
    #expect(codes.count == 33)
    for code in codes {
      let cause = CocoaError(.fileReadUnknown)
      let error = RepositoryError(code, "this happened", reason: "a reason", suggestion: "a way", underlying: cause)
      let domain = DomainError(error)
      #expect(code.domainCode == domain.code, "\(code.rawValue) is not translated")
      #expect(domain.summary == "this happened" && domain.reason == "a reason" && domain.suggestion == "a way")
      #expect((domain.underlying as? RepositoryError)?.code == code)
      #expect(AnyFriendlyError(domain).chain.last?.base is CocoaError)
    }
    #expect(RepositoryError.Code(rawValue: "quotaExceeded").domainCode == nil)
    #expect(DomainError(RepositoryError(.init(rawValue: "quotaExceeded"), "too much")).code == .broken)
    #expect(Set(codes.map { DomainError(RepositoryError($0, "")).code }) == Set(DomainError.Code.allCases))
  }

  @Test("from infrastructure to the repository, every code")
  func infrastructureToRepository() {
    for code in InfrastructureError.Code.allCases {
      let error = RepositoryError(InfrastructureError(code, "this happened", suggestion: "a way"))
      #expect(error.summary == "this happened" && error.reason == nil && error.suggestion == "a way")
      #expect((error.underlying as? InfrastructureError)?.code == code)
    }
  }

  @Test(
    "what is transient below is transient above",
    arguments: [
      (.connection, .unavailable, .temporary), (.busy, .unavailable, .temporary), (.timeout, .unavailable, .temporary),
      (.diskFull, .broken, .broken), (.corrupt, .broken, .broken), (.permission, .broken, .broken),
      (.missing, .broken, .broken), (.inputOutput, .broken, .broken), (.other, .broken, .broken),
      (.cancelled, .cancelled, .cancelled),
    ] as [(InfrastructureError.Code, DomainError.Code, PresentationError.Kind)])
  func throughAll(code: InfrastructureError.Code, domain: DomainError.Code, kind: PresentationError.Kind) {
    let error = DomainError(RepositoryError(InfrastructureError(code, "this happened")))
    let presented = PresentationError(error)
    #expect(error.code == domain && presented.kind == kind)
    #expect(
      AnyFriendlyError(presented).chain.map { "\(type(of: $0.base))" }
        == ["PresentationError", "DomainError", "RepositoryError", "InfrastructureError"])
  }

  @Test("a use case translates the errors of its repositories, and returns their results")
  func translating() async throws {
    let value = try await DomainError.translating { 7 }
    #expect(value == 7)
    struct Other: Error {}
    let cases: [(any Error, DomainError.Code)] = [
      (RepositoryError(.conflict, "twice"), .conflict), (DomainError(.ruleBroken, "never"), .ruleBroken),
      (RepositoryError.cancelled, .cancelled), (CancellationError(), .cancelled), (Other(), .broken),
    ]
    for (thrown, code) in cases {
      let error = await #expect(throws: DomainError.self) { try await DomainError.translating { throw thrown } }
      #expect(error?.code == code && (error?.underlying == nil) == (thrown is DomainError), "\(thrown)")
    }
  }
}

@Suite("The errors of repositories and queries are friendly")
struct FriendlyErrorTests {
  /// The names of the codes that a type declares, read from its file, so that no new one is forgotten.
  private func codes(in file: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    return source.matches(of: /static let (\w+) = Code\(rawValue: "(\w+)"\)/).map { match in
      #expect(match.1 == match.2)
      return String(match.2)
    }
  }

  /// Whether a text is a clause as this project writes them: several words, without a full stop.
  private func isClause(_ text: String?) -> Bool {
    guard let text, let last = text.last else { return false }
    return last != "." && text.split(separator: " ").count > 1
  }

  @Test("with every code, an error of a repository says why and what to do, though it was given only what happened")
  func repositoryErrors() throws {
    let codes = try codes(in: "Repository/Errors/RepositoryError.swift")
    #expect(codes.count == 33)
    var seen: Set<String> = []
    for code in codes {
      let error: any FriendlyError = RepositoryError(.init(rawValue: code), "this happened")
      #expect(isClause(error.reason) && isClause(error.suggestion), "\(code)")
      let isNew = seen.insert(error.reason ?? "").inserted
      #expect(isNew, "\(code)")
      let alert = Alert(error)
      #expect(alert.title == "This happened")
      #expect(alert.message?.hasSuffix(".") == true, "\(code)")
    }
  }

  @Test("what is known of one error stands alone, and codes of others' own say nothing")
  func ownWords() {
    let reasoned = RepositoryError(.busy, "the store is busy", reason: "a backup is running")
    #expect(reasoned.reason == "a backup is running" && reasoned.suggestion == nil)
    let advised = RepositoryError(.busy, "the store is busy", suggestion: "wait for the backup")
    #expect(advised.reason == nil && advised.suggestion == "wait for the backup")
    let foreign = RepositoryError(.init(rawValue: "quotaExceeded"), "the quota is exceeded")
    #expect(foreign.reason == nil && foreign.suggestion == nil)
  }

  @Test("with every code, an error of a query says what happened, and why or what to do")
  func queryErrors() throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema("id", .integer), ColumnSchema("n", .text)], primaryKey: ["id"])
    let errors = [
      error { try FetchRequest(.equal(key: "m", value: 1)).resolved(in: table) },
      error { try FetchRequest(.equal(key: "n", value: 1)).resolved(in: table) },
      error { try FetchRequest(.equal(key: "id", value: Double.nan)).resolved(in: table) },
      error { try FetchRequest(limit: -1).resolved(in: table) },
      error { try FetchRequest(.isNull(key: "n")).restricted(to: ["id"]) },
      error { try FetchRequest(deep).resolved(in: table) },
      error { try AggregateRequest([]).resolved(in: table) }, error { try ProjectionRequest([]).resolved(in: table) },
      error { try Cursor(parsing: "?") },
      error { try ResolvedAssignments([Assignment("id", 1)], in: table) },
      error { try ResolvedConflictRule(.update(by: ["n"]), in: table) },
      error { try TableSchema("t", columns: [], primaryKey: []) },
      error { try AnyQuery(parsing: "n.m = 1").resolved(in: table) },
      error {
        let reference = ReferenceRule(["id"], to: "t", key: ["id"])
        let table = try TableSchema(
          "t", columns: table.columns, primaryKey: ["id"], references: [reference])
        return try Cursor(at: [1, "a"], in: table, sortedBy: AnySort(parsing: "id.n"))
      },
    ]
    for error in errors {
      let text = error.map { "\($0)" } ?? "nothing was thrown"
      #expect(isClause(error?.summary), "\(text)")
      #expect(isClause(error?.reason) || isClause(error?.suggestion), "\(text)")
    }
    let known = Set(try codes(in: "Query/Queries/QueryError.swift"))
    #expect(known.symmetricDifference(errors.compactMap(\.?.code.rawValue)) == [])
  }

  /// More levels than are resolved.
  private var deep: AnyQuery {
    (0..<2_000).reduce(AnyQuery.equal(key: "id", value: 1)) { query, level in
      level.isMultiple(of: 2) ? query && .equal(key: "id", value: level) : query || .equal(key: "id", value: level)
    }
  }

  private func error(_ body: () throws -> some Any) -> QueryError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? QueryError
    }
  }

  @Test("the chain leads to the first cause")
  func chain() throws {
    struct Pokemon: Entity {
      let id: Int
      var name: String
      static let schema = Schema("pokemon", Pokemon.init, Column("id", \.id), Column("name", \.name))
    }
    let query = QueryError(.unknownKey, "no column wieght in pokemon", suggestion: "did you mean weight?")
    let chain = AnyFriendlyError(RepositoryError(query)).chain
    #expect(chain.map { "\(type(of: $0.base))" } == ["RepositoryError", "QueryError"])
    #expect(chain[0].suggestion == "did you mean weight?" && chain[0].reason == nil)

    let mismatch = SchemaMismatch(differences: [])
    #expect(mismatch.reason == nil && isClause(mismatch.summary) && isClause(mismatch.suggestion))
    let fault = RepositoryError(.unreadableRow, "row 7 can't be read", underlying: ValueError("expected text"))
    #expect(ErrorMatcher.caused(by: .type(ValueError.self)).matches(fault))
  }
}
