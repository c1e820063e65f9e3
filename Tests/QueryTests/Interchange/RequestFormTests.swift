import Foundation
import Query
import Testing

@Suite("The JSON forms of sorts and requests")
struct RequestFormTests {
  @Test("A sort has one form, which is read back as the same sort", arguments: FormExamples.sorts)
  func sorts(sort: AnySort, form: String) throws {
    let json = #"{"version":1,"sort":\#(form)}"#
    #expect(try sort.json == json)
    #expect(try AnySort(json: json) == sort)
    #expect(try AnySort(dictionary: sort.dictionary) == sort)
    #expect(try JSONDecoder().decode(AnySort.self, from: JSONEncoder().encode(sort)) == sort)
  }

  @Test("What goes without saying may be said")
  func explicit() throws {
    let json = #"{"version":1,"sort":[{"key":"a","direction":"ascending","nulls":"first"}]}"#
    #expect(try AnySort(json: json) == .ascending(key: "a"))
  }

  static let cursor: Cursor? = try? Cursor(parsing: "GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw")

  static let examples: [(FetchRequest, String)] = [
    (FetchRequest(), #"{"version":1,"query":true}"#),
    (FetchRequest(limit: 0), #"{"version":1,"query":true,"limit":0}"#),
    (FetchRequest(limit: .max, offset: 7), #"{"version":1,"query":true,"limit":9223372036854775807,"offset":7}"#),
    // Refused when it is carried out, by every store and in the same words.
    (FetchRequest(limit: -1, offset: -2), #"{"version":1,"query":true,"limit":-1,"offset":-2}"#),
    (
      FetchRequest(FormExamples.weight, sortedBy: .descending(key: "weight"), limit: 20, offset: 40),
      #"{"version":1,"query":{"key":"weight","op":">","value":90},"sort":[{"key":"weight","direction":"descending"}],"#
        + #""limit":20,"offset":40}"#
    ),
    (
      FetchRequest(after: cursor, before: cursor),
      #"{"version":1,"query":true,"after":"GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw","#
        + #""before":"GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw"}"#
    ),
  ]

  @Test("A request has one form, which is read back as the same request", arguments: Self.examples)
  func requests(request: FetchRequest, json: String) throws {
    #expect(try request.json == json)
    #expect(try FetchRequest(json: json) == request)
    #expect(try FetchRequest(dictionary: request.dictionary) == request)
    #expect(try JSONDecoder().decode(FetchRequest.self, from: JSONEncoder().encode(request)) == request)
  }

  @Test("The form of a query or a sort is one of a request")
  func parts() throws {
    #expect(try FetchRequest(json: FormExamples.weight.json) == FetchRequest(FormExamples.weight))
    let sort = AnySort.descending(key: "weight")
    #expect(try FetchRequest(json: sort.json) == FetchRequest(sortedBy: sort))
    #expect(try FetchRequest(json: #"{"version":1}"#) == FetchRequest())
  }

  @Test("A dictionary takes other fields, and gives them back")
  func dictionaries() throws {
    let request = FetchRequest(FormExamples.weight, limit: 5)
    var body = try request.dictionary
    #expect(body.keys.sorted() == ["limit", "query", "version"])
    #expect(body["limit"] == 5)
    body["token"] = "secret"
    let data = try JSONEncoder().encode(body)
    var received = try JSONDecoder().decode([String: JSONValue].self, from: data)
    #expect(received.removeValue(forKey: "token") == "secret")
    #expect(try FetchRequest(dictionary: received) == request)
    #expect(throws: InterchangeError.self) { try FetchRequest(dictionary: body) }
  }
}
