import Foundation
import RepositoryService
import Synchronization

/// What holds for every request that a service is sent: a request line, header fields, a blank line and a body.
enum ServiceLaws {
  static func check(_ text: String) {
    guard let request = request(text) else { return }
    let mayEcho = text.contains(ServiceStage.secret)
    let (first, second) = (ask(request, text), ask(request, text))
    Law.require(
      first.status == second.status && first.text == second.text, "the same request has the same answer",
      [text, "\(first)", "\(second)"])
    Law.require((200..<500).contains(first.status), "no request is the service's fault", [text, "\(first)"])
    Law.require(
      mayEcho || !first.text.contains(ServiceStage.secret), "what is not shown is not sent", [text, first.text])
    if first.status >= 400, request.method != "HEAD" {
      let problem = try? JSONSerialization.jsonObject(with: Data(first.text.utf8)) as? [String: Any]
      Law.require(
        problem?["status"] as? Int == first.status && problem?["title"] is String, "a refusal is a problem",
        [text, first.text])
    }
    if request.method == "GET" {
      var head = request
      head.method = "HEAD"
      let answer = ask(head, text)
      Law.require(
        answer.status == first.status && answer.text.isEmpty, "HEAD is GET without its body", [text, "\(answer)"])
    }
  }

  /// The stage of the latest request, where that has left all as it was: one is not made in a moment.
  private static let latest = Mutex<ServiceStage?>(nil)

  /// The answer of a service whose rows are those of every other one.
  private static func ask(_ request: WebRequest, _ text: String) -> ServiceStage.Answer {
    let stage =
      latest.withLock { $0.take() } ?? Law.mustSucceed("there is a service", [text]) { try ServiceStage() }
    let answer = Law.mustSucceed("a service answers", [text]) {
      try CallingThread.run { try await stage.answer(request) }
    }
    let isAsBefore = Law.mustSucceed("there are rows") { try stage.isAsBefore }
    if ["GET", "HEAD", "OPTIONS"].contains(request.method) || answer.status >= 400 {
      Law.require(isAsBefore, "a read and what is refused change nothing", [text, "\(answer)"])
    }
    // A key for a write that is done once is remembered, whatever came of the write.
    if isAsBefore, request.headers["Idempotency-Key"] == nil { latest.withLock { $0 = stage } }
    return answer
  }

  private static func request(_ text: String) -> WebRequest? {
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    var headers = WebHeaders()
    for line in lines.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1)
      if field.count == 2 { headers.append(String(field[0]), field[1].trimmingCharacters(in: .whitespaces)) }
    }
    return WebRequest(
      String(words[0]), String(words[1]), headers: headers, body: WebBody(Array((parts.count > 1 ? parts[1] : "").utf8))
    )
  }
}
