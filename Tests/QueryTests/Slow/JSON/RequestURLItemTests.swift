import Foundation
import Query
import Testing

@Suite("Requests for columns and groups in a URL")
struct RequestURLItemTests {
  private static let album = ProjectedColumn(.path("album_id", "title"), as: "album")

  static let projections: [(ProjectionRequest, String)] = [
    (ProjectionRequest([.key("name")]), "columns=name"),
    (
      ProjectionRequest(
        [.key("name"), album, ProjectedColumn(.key("ms") / 60_000, as: "minutes")],
        of: FetchRequest(.greaterThan(key: "ms", value: 5), sortedBy: .descending(key: "ms"), limit: 3, offset: 1),
        isDistinct: true),
      "columns=name, album_id.title as album, ms / 60000 as minutes&where=ms > 5&sort=ms desc&limit=3&offset=1"
        + "&distinct=true"
    ),
    (
      ProjectionRequest(
        [album], groupLimit: GroupLimit(3, of: [.key("album_id"), .key("ms") / 2], sortedBy: .descending(key: "ms"))),
      "columns=album_id.title as album&first=3&groups=album_id, ms / 2&groupSort=ms desc"
    ),
  ]

  @Test("columns come back as the same", arguments: projections)
  func projection(request: ProjectionRequest, items: String) throws {
    #expect(try request.queryItems.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&") == items)
    #expect(try ProjectionRequest(queryItems: request.queryItems) == request)
    // The rows alone are read of the same items.
    #expect(try FetchRequest(queryItems: request.queryItems) == request.rows)
  }

  static let groups: [(AggregateRequest, String)] = [
    (AggregateRequest([.count]), "aggregates=count()"),
    (
      AggregateRequest(
        [
          .count, AnyAggregate(.sum, of: .key("price") * 2),
          .countDistinct(key: "name").where(.equal(key: "a", value: 1)),
        ],
        of: .equal(key: "kind", value: "x"), groupedBy: [.key("type"), .path("album_id", "title")],
        having: .compare(.group(.count), .greaterThan, AnyExpression(.value(3))), sortedBy: .descending(.count),
        limit: 2),
      "aggregates=count(), sum(price * 2), countDistinct(name where a = 1)&where=kind = 'x'"
        + "&groups=type, album_id.title&having=count() > 3&sort=-count()&limit=2"
    ),
    (
      AggregateRequest([.max(key: "a")], groupedBy: ["b"], sortedBy: .ascending(.max(key: "a"))),
      "aggregates=max(a)&groups=b&sort=max(a)"
    ),
  ]

  @Test("groups come back as the same", arguments: groups)
  func group(request: AggregateRequest, items: String) throws {
    #expect(try request.queryItems.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&") == items)
    #expect(try AggregateRequest(queryItems: request.queryItems) == request)
  }

  @Test(
    "what can't be read is refused with the item's name",
    arguments: [
      ("", "columns"), ("columns=", "columns"), ("columns=name as", "columns"), ("columns=a&columns=b", "columns"),
      ("columns=a&distinct=yes", "distinct"), ("columns=a&first=3", "groups"), ("columns=a&groups=b", "first"),
      ("columns=a&groupSort=b", "first"), ("columns=a&first=x&groups=b", "first"), ("columns=a&limit=x", "limit"),
    ])
  func refused(items: String, name: String) throws {
    let parsed = try #require(URLComponents(string: "/?" + items.replacing(" ", with: "%20"))).queryItems ?? []
    let error = #expect(throws: JSONCodingError.self) { try ProjectionRequest(queryItems: parsed) }
    #expect(error?.path == name, "\(String(describing: error))")
  }

  @Test(
    "and so is what makes no groups",
    arguments: [
      ("", "aggregates"), ("aggregates=name", "aggregates"), ("aggregates=sum()", "aggregates"),
      ("aggregates=count()&having=count(", "having"), ("aggregates=count()&sort=name", "sort"),
      ("aggregates=count()&groups=", "groups"), ("aggregates=count()&limit=-", "limit"),
    ])
  func refusedGroups(items: String, name: String) throws {
    let parsed = try #require(URLComponents(string: "/?" + items.replacing(" ", with: "%20"))).queryItems ?? []
    let error = #expect(throws: JSONCodingError.self) { try AggregateRequest(queryItems: parsed) }
    #expect(error?.path == name, "\(String(describing: error))")
  }
}
