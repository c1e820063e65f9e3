import Foundation
import Query
import WebRepositoryFormat

/// What holds for every query of a URL, as a request line has it: `where=weight%20%3E%2090&sort=id`.
enum URLLaws {
  static func check(_ text: String) {
    guard let target = WebTarget("/table?" + text) else { return }
    checkTarget(target)
    if let request = try? FetchRequest(queryItems: target.items) {
      check(request, { try $0.percentEncodedQueryItems }, { try FetchRequest(queryItems: $0) })
      Arena.shared.ask(request)
    }
    if let request = try? ProjectionRequest(queryItems: target.items) {
      check(request, { try $0.queryItems.map(\.escaped) }, { try ProjectionRequest(queryItems: $0) })
    }
    if let request = try? AggregateRequest(queryItems: target.items) {
      check(request, { try $0.queryItems.map(\.escaped) }, { try AggregateRequest(queryItems: $0) })
    }
  }

  private static func checkTarget(_ target: WebTarget) {
    let query = target.items.map(\.escaped).map { item in "\(item.name)=\(item.value ?? "")" }.joined(separator: "&")
    guard let again = WebTarget("/table?" + query) else {
      return Law.require(false, "what a target's items are written as is a target", [query])
    }
    let (read, expected) = (again.items.map { $0.value ?? "" }, target.items.map { $0.value ?? "" })
    Law.require(read == expected, "the items of a target are read from it", [query, "\(read)", "\(expected)"])
  }

  /// What a request writes into a URL, it is read from.
  private static func check<Request: Equatable>(
    _ request: Request, _ items: (Request) throws -> [URLQueryItem], _ read: ([URLQueryItem]) throws -> Request
  ) {
    // What has no JSON form, such as a number that is none, has no items.
    guard let written = try? items(request) else { return }
    let query = written.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    guard let target = WebTarget("/table?" + query) else {
      return Law.require(false, "what a request writes is a target", [query])
    }
    let again = Law.mustSucceed("the items of a request are read", [query]) { try read(target.items) }
    Law.require(
      again == request, "a request is read from its items as an equal one", [query, "\(request)", "\(again)"])
  }
}

extension URLQueryItem {
  fileprivate var escaped: URLQueryItem {
    func escape(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
    return URLQueryItem(name: escape(name), value: value.map(escape))
  }
}
