import ErrorHandling
import Foundation
import Testing

@Suite("The friendly form of an error")
struct AnyFriendlyErrorTests {
  private enum BoxError: FriendlyError {
    case full, locked

    var summary: String { self == .full ? "the box is full" : "the box is locked" }
    var reason: String? { self == .full ? "it holds 30" : nil }
    var suggestion: String? { self == .full ? "release one" : nil }
    var underlying: (any Error)? { self == .full ? OtherError() : nil }
  }

  private enum WordsError: LocalizedError {
    case spoken, silent

    var errorDescription: String? { self == .spoken ? "the words" : nil }
    var failureReason: String? { "the why" }
    var recoverySuggestion: String? { "the way out" }
  }

  private struct NamedError: Error, CustomStringConvertible {
    let description = "what it says of itself"
  }

  /// What a form says, as one text.
  private func words(_ error: any Error) -> String {
    let form = AnyFriendlyError(error)
    return [form.summary, form.reason, form.suggestion].map { $0 ?? "-" }.joined(separator: " | ")
  }

  @Test(
    "says what the error says",
    arguments: [
      (BoxError.full, "the box is full | it holds 30 | release one"),
      (BoxError.locked, "the box is locked | - | -"),
      (AnyFriendlyError(BoxError.full), "the box is full | it holds 30 | release one"),
      (WordsError.spoken, "the words | the why | the way out"),
      (WordsError.silent, "the operation failed with WordsError | silent | -"),
      (NamedError(), "what it says of itself | - | -"),
      (AppError.numbered(7), "the operation failed with AppError | numbered(7) | -"),
      (CancellationError(), "the task was cancelled | - | start the task again if you still need the result"),
      (
        NSError(
          domain: "shop", code: 4,
          userInfo: [
            NSLocalizedDescriptionKey: "no potions", NSLocalizedFailureReasonErrorKey: "sold out",
            NSLocalizedRecoverySuggestionErrorKey: "come back",
          ]), "no potions | sold out | come back"
      ),
      (
        NSError(domain: "shop", code: 4, userInfo: [NSLocalizedDescriptionKey: "no potions"]),
        "no potions | the error code is 4 of shop | -"
      ),
      (POSIXError(.ENOENT), "No such file or directory | the error code is 2 | check the path"),
      (
        NSError(domain: NSPOSIXErrorDomain, code: 28),
        "No space left on device | the error code is 28 | free space, and try again"
      ),
    ] as [(any Error, String)])
  func wording(error: any Error, expected: String) {
    #expect(words(error) == expected)
    #expect(AnyFriendlyError(error).localizedDescription == AnyFriendlyError(error).summary)
  }

  /// Not among the cases above: Foundation on Linux crashes where a test describes such an error.
  @Test("an error of POSIX may have a number that is none")
  func noNumber() {
    let error = NSError(domain: NSPOSIXErrorDomain, code: .max)
    #expect(
      words(error) == "the operating system failed | the error code is \(Int.max) | -")
  }

  @Test("keeps the error itself, and all that led to it")
  func chain() throws {
    let box = NSError(
      domain: "shop", code: 4, userInfo: [NSLocalizedDescriptionKey: "shop", NSUnderlyingErrorKey: BoxError.full])
    let error = CocoaError(.fileReadCorruptFile, userInfo: [NSUnderlyingErrorKey: box])
    let chain = AnyFriendlyError(AnyFriendlyError(error)).chain
    #expect(chain.map { "\(type(of: $0.base))" } == ["CocoaError", "NSError", "BoxError", "OtherError"])
    #expect(chain.last?.underlying == nil)

    let read = #expect(throws: (any Error).self) { try Data(contentsOf: URL(filePath: "/nothing/here")) }
    let causes = AnyFriendlyError(try #require(read)).chain
    #expect(causes.count == 2 && causes[0].base is CocoaError)
    #expect(causes.last?.summary == "No such file or directory")
  }

  private final class LoopError: FriendlyError {
    let summary = "round and round"
    var underlying: (any Error)? { self }
  }

  @Test("does not follow an error that leads back to itself for ever")
  func loop() {
    #expect(AnyFriendlyError(LoopError()).chain.count == 64)
  }

  private struct Trainer: Codable {
    struct Pokemon: Codable {
      var name: String
      var weight: Double
    }
    var box: [Pokemon]
  }

  @Test(
    "tells the path of a value that can't be decoded or encoded",
    arguments: [
      (#"{"box": [{"name": "Abra", "weight": 1}, {"name": 7, "weight": 1}]}"#, "box[1].name is not of the type String"),
      (#"{"box": [{"name": "Abra"}]}"#, "box[0].weight is missing"),
      (#"{"box": [{"name": null, "weight": 1}]}"#, "box[0].name is missing"),
      (#"{"box": 1}"#, "box is not of the type Array<Any>"),
      (#"[]"#, "the data is not of the type Dictionary<String, Any>"),
      (#"{"box": "#, "can't read the data"),
    ] as [(String, String)])
  func codingPath(json: String, summary: String) throws {
    let error = try #require(
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Trainer.self, from: Data(json.utf8)) })
    let form = AnyFriendlyError(error)
    #expect(form.summary == summary)
    #expect(form.reason != nil && form.suggestion != nil && form.base is DecodingError)
  }

  @Test("tells the path of a value that can't be encoded")
  func encoding() throws {
    let trainer = Trainer(box: [.init(name: "Abra", weight: .infinity)])
    let error = try #require(#expect(throws: EncodingError.self) { try JSONEncoder().encode(trainer) })
    #expect(AnyFriendlyError(error).summary == "can't encode box[0].weight")
  }

  @Test("is an NSError that keeps domain, code and userInfo, and has the words")
  func nsError() {
    let original = NSError(domain: "shop", code: 4, userInfo: ["item": "potion"])
    let kept = AnyFriendlyError(original).nsError
    #expect(kept.domain == "shop" && kept.code == 4 && kept.userInfo["item"] as? String == "potion")

    let made = AnyFriendlyError(BoxError.full).nsError
    #expect(made.localizedDescription == "the box is full" && made.localizedFailureReason == "it holds 30")
    #expect(made.localizedRecoverySuggestion == "release one")
    #expect(made.userInfo[NSUnderlyingErrorKey] is OtherError)

    let cocoa = AnyFriendlyError(CocoaError(.fileNoSuchFile)).nsError
    #expect(cocoa.domain == NSCocoaErrorDomain && cocoa.code == 4)
  }

  @Test("describes itself where Foundation is asked for a description")
  func localized() {
    let error: any Error = BoxError.full
    #expect(error.localizedDescription == "the box is full")
    let localized = error as? any LocalizedError
    #expect(localized?.failureReason == "it holds 30" && localized?.recoverySuggestion == "release one")
  }
}
