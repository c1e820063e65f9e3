import Foundation
import Repository

/// A server that answers to URLs with JSON, all in this process. It has no cursors, no `like`, no text operators that
/// ignore case and no comparisons of columns, takes one element at a time, and reads no URL of more than 16,000 bytes.
actor WebServer<Element: Entity & Codable> where Element.ID == Int {
  /// A status and a body, as they travel.
  struct Response: Sendable {
    var status = 200
    var body = Data("null".utf8)
  }

  private let rows: MemoryRepository<Element>
  private let isCareless: Bool

  /// Starts a server.
  ///
  /// - Parameter isCareless: whether it leaves out of a URL what it does not know, as many do, where it should refuse.
  init(isCareless: Bool = false) throws {
    rows = try MemoryRepository()
    self.isCareless = isCareless
  }

  /// Answers to a method, a URL such as `/elements?where=weight%20%3E%2090`, and a body.
  func respond(to method: String, _ url: String, body: Data = Data()) -> Response {
    if url.utf8.count > 16_000 { return problem(414, "the URL is too long") }
    do {
      guard let components = URLComponents(string: url) else { return problem(400, "no URL") }
      let id = components.path.split(separator: "/").dropFirst().first.flatMap { Int($0) }
      switch (method, id) {
      case ("GET", let id?):
        guard let element = try rows.blocking.find(id) else { return problem(404, "no such element") }
        return Response(body: try WebJSON.encoder.encode(element))
      case ("GET", nil):
        var request = try FetchRequest(queryItems: components.queryItems ?? [])
        if isCareless {
          (request.after, request.before) = (nil, nil)
        } else if let lacking = lacking(request) {
          return problem(501, "\(lacking) is not supported")
        }
        if components.path.hasSuffix("count") {
          return Response(body: try WebJSON.encoder.encode(try rows.blocking.count(request.query)))
        }
        return Response(body: try WebJSON.encoder.encode(try rows.blocking.findAll(request)))
      case ("PUT", _?):
        try rows.blocking.save([try WebJSON.decoder.decode(Element.self, from: body)])
        return Response(status: 204)
      case ("DELETE", let id?): return Response(status: try rows.blocking.delete([id]) == 1 ? 204 : 404)
      default: return problem(405, "\(method) is not allowed")
      }
    } catch let error as RepositoryError {
      return problem(error.code == .conflict ? 409 : 400, error.summary)
    } catch {
      return problem(400, "\(error)")
    }
  }

  private func problem(_ status: Int, _ summary: String) -> Response {
    Response(status: status, body: Data(summary.utf8))
  }

  private func lacking(_ request: FetchRequest) -> String? {
    if request.after != nil || request.before != nil { return "a cursor" }
    var pending = [request.query]
    while let query = pending.popLast() {
      switch query.form {
      case .not(let query): pending.append(query)
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [lhs, rhs]
      case .condition(.text(let match)) where match.operation == .like || match.isIgnoringCase: return "this operator"
      case .condition(.comparison(let comparison)):
        if case .key = comparison.operand { return "a column beside another" }
      case .condition(.between(let between)):
        for case .key in [between.lower, between.upper] { return "a column beside another" }
      case .condition: break
      }
    }
    return nil
  }
}

/// How elements are written in bodies.
enum WebJSON {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
