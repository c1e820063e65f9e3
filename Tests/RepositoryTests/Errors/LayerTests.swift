import ErrorHandling
import Foundation
import Repository
import Testing

@Suite("Each border between layers translates every error, and loses none")
struct LayerTests {
  /// The codes that ``RepositoryError`` declares, read from its file, so that no new one is forgotten.
  private static var codes: [RepositoryError.Code] {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
      let source = try String(
        contentsOf: root.appending(path: "Repository/Errors/RepositoryError+Code.swift"), encoding: .utf8)
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

  @Test("a use case translates what its repositories throw, and gives what they give")
  func translating() async throws {
    let value = try await DomainError.translating { () throws(RepositoryError) in 7 }
    #expect(value == 7)
    let error = await #expect(throws: DomainError.self) {
      try await DomainError.translating { () throws(RepositoryError) in throw RepositoryError(.conflict, "twice") }
    }
    #expect(error?.code == .conflict)
  }
}
