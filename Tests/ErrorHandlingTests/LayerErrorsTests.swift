import ErrorHandling
import Foundation
import Repository
import Synchronization
import Testing

@Suite("The layers of errors")
struct LayerTests {
  @Test(
    "from the system to infrastructure",
    arguments: [
      (NSPOSIXErrorDomain, Int(ECONNREFUSED), .connection), (NSPOSIXErrorDomain, Int(EBUSY), .busy),
      (NSPOSIXErrorDomain, Int(ETIMEDOUT), .timeout), (NSPOSIXErrorDomain, Int(ENOSPC), .diskFull),
      (NSPOSIXErrorDomain, Int(EACCES), .permission), (NSPOSIXErrorDomain, Int(ENOENT), .missing),
      (NSPOSIXErrorDomain, Int(EROFS), .permission), (NSPOSIXErrorDomain, Int(ENOTDIR), .missing),
      (NSPOSIXErrorDomain, Int(EDQUOT), .diskFull), (NSPOSIXErrorDomain, Int(EAGAIN), .busy),
      (NSPOSIXErrorDomain, Int(EPIPE), .connection),
      (NSPOSIXErrorDomain, Int(EIO), .inputOutput), (NSPOSIXErrorDomain, Int(ECANCELED), .cancelled),
      (NSPOSIXErrorDomain, Int(ENOEXEC), .other), (NSPOSIXErrorDomain, Int.max, .other),
      (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue, .missing),
      (NSCocoaErrorDomain, CocoaError.fileWriteNoPermission.rawValue, .permission),
      (NSCocoaErrorDomain, CocoaError.fileWriteOutOfSpace.rawValue, .diskFull),
      (NSCocoaErrorDomain, CocoaError.fileReadCorruptFile.rawValue, .corrupt),
      (NSCocoaErrorDomain, CocoaError.userCancelled.rawValue, .cancelled),
      (NSCocoaErrorDomain, CocoaError.featureUnsupported.rawValue, .other),
      (NSURLErrorDomain, -1001, .timeout), (NSURLErrorDomain, -1009, .connection), (NSURLErrorDomain, -999, .cancelled),
      (NSURLErrorDomain, -1000, .other), ("of a program's own", 28, .other),
    ] as [(String, Int, InfrastructureError.Code)])
  func system(domain: String, number: Int, code: InfrastructureError.Code) {
    let cause = NSError(domain: domain, code: number)
    let error = InfrastructureError(cause)
    #expect(error.code == code && error.summary == AnyFriendlyError(cause).summary)
    #expect((error.underlying as? NSError)?.domain == domain)
    let wrapper = NSError(domain: "of a library's own", code: 1, userInfo: [NSUnderlyingErrorKey: cause])
    #expect(InfrastructureError(wrapper).code == code)
  }

  @Test("an error of the same layer stays unchanged")
  func same() {
    let infrastructure = InfrastructureError(InfrastructureError(.busy, "busy"))
    #expect(infrastructure.code == .busy && infrastructure.underlying == nil)
    let presentation = PresentationError(PresentationError(.temporary, "later"))
    #expect(presentation.kind == .temporary && presentation.underlying == nil)
    #expect(InfrastructureError(CancellationError()).code == .cancelled)
    #expect(PresentationError(CancellationError()).kind == .cancelled)
    #expect(PresentationError(OtherError()).kind == .broken)
  }

  @Test("an access to the system is told by its own summary, with the first cause as the reason")
  func translating() throws {
    let missing = URL(filePath: "/no/such/file")
    let error = #expect(throws: InfrastructureError.self) {
      try InfrastructureError.translating("the notes can't be read") { try Data(contentsOf: missing) }
    }
    #expect(error?.code == .missing && error?.summary == "the notes can't be read" && error?.reason?.isEmpty == false)
    let damaged = #expect(throws: InfrastructureError.self) {
      try InfrastructureError.translating("the notes can't be read") {
        throw InfrastructureError(.corrupt, "the first line is empty", suggestion: "write it")
      }
    }
    #expect(damaged?.code == .corrupt && damaged?.summary == "the notes can't be read")
    #expect(damaged?.reason == "the first line is empty" && damaged?.suggestion == "write it")
  }

  @Test("from the domain to presentation, every code")
  func presentation() {
    var kinds: Set<PresentationError.Kind> = []
    for code in DomainError.Code.allCases {
      let error = DomainError(code, "this happened", reason: "a reason", suggestion: "a way", underlying: OtherError())
      let presented = PresentationError(error)
      kinds.insert(presented.kind)
      #expect(presented.summary == "this happened" && presented.reason == "a reason" && presented.suggestion == "a way")
      #expect((presented.underlying as? DomainError)?.code == code)
      #expect(AnyFriendlyError(presented).chain.last?.base is OtherError)
    }
    #expect(kinds == Set(PresentationError.Kind.allCases))
    #expect(PresentationError(DomainError(.unavailable, "not now")).suggestion == "try again in a moment")
  }

  @Test("a translator gives models, or an error of the domain with the words of the cause")
  func translator() throws {
    let translator = Translator<Int, String> { number in
      if number == 0 { throw DomainError(.ruleBroken, "there is no number 0") }
      if number > 151 { throw TrainerError.boxFull(count: number) }
      return "No. \(number)"
    }
    #expect(try translator(6) == "No. 6" && translator([1, 2]) == ["No. 1", "No. 2"])
    let broken = #expect(throws: DomainError.self) { try translator([1, 0]) }
    #expect(broken?.code == .ruleBroken && broken?.underlying == nil)
    let failed = #expect(throws: DomainError.self) { try translator(152) }
    #expect(failed?.code == .translationFailed && failed?.summary == "the box is full")
    #expect(failed?.underlying as? TrainerError == .boxFull(count: 152))
  }
}

@Suite("A program with a root, a flow and a screen")
struct AppTreeTests {
  /// The tree of the article: the root restarts expired sessions, the flow tells the user, the screen shows the rest.
  private struct App {
    let journal = Journal()
    let screen: ErrorHandler

    init() {
      let journal = journal
      let root = ErrorHandler(unhandled: { journal.write("unhandled: \($0)") })
        .listen { journal.write("seen: \($0)") }
        .catch(AppError.expired) { _ in journal.write("root restarts the session") }
        // All but what the screen shows by itself.
        .catch(matching: .type(AppError.self) && !.value(AppError.missing) && !.value(AppError.rejected)) {
          journal.write("root shows \($0)")
        }
      let flow = root.replace(OtherError.self) { _ in AppError.missing }
      screen = flow.catch(AppError.missing) { _ in journal.write("screen shows an empty list") }
    }
  }

  @Test(
    "an error is handled at the root, excluded there and handled below, rewritten on the way, or not handled at all",
    arguments: [
      (AppError.expired as any Error, ["seen: expired", "root restarts the session"], true),
      (AppError.numbered(7), ["seen: numbered(7)", "root shows numbered(7)"], true),
      (AppError.missing, ["seen: missing", "screen shows an empty list"], true),
      (OtherError(), ["seen: OtherError()", "screen shows an empty list"], true),
      (AppError.rejected, ["seen: rejected", "unhandled: rejected"], false),
    ])
  func fourCases(error: any Error, expected: [String], isHandled: Bool) async {
    let app = App()
    let returned = await app.screen.throw(error)
    #expect(returned == isHandled)
    #expect(app.journal.lines == expected)

    await app.screen.throw(error) { app.journal.write("finally: \($0)") }
    #expect(app.journal.lines == expected + expected + ["finally: \(isHandled)"])
  }
}

/// A repository in memory whose first calls fail.
final class UnreliableRepository<Element: Entity>: Repository {
  private let base: MemoryRepository<Element>
  private let errors: Mutex<[RepositoryError]>

  /// - Parameter codes: what the first calls fail with, one each.
  init(_ elements: [Element] = [], failing codes: RepositoryError.Code...) throws {
    base = try MemoryRepository(elements)
    errors = Mutex(codes.map { RepositoryError($0, "the Pokédex does not answer") })
  }

  private func fail() throws(RepositoryError) {
    if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
  }

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    try fail()
    return try base.blocking.find(id)
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    try fail()
    return try base.blocking.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try fail()
    return try base.blocking.count(query)
  }

  func save(_ elements: [Element]) throws(RepositoryError) {
    try fail()
    try base.blocking.save(elements)
  }

  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try fail()
    return try base.blocking.delete(ids)
  }

  func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }
}
