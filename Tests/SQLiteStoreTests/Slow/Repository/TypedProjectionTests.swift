import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

private struct Disc: Entity {
  let id: Int
  var title: String
  static let schema = Schema("album", Disc.init, Column("id", \.id), Column("title", \.title))
}

private struct Song: Entity {
  enum Genre: String, ValueConvertible { case rock, jazz }

  let id: Int
  var name: String
  var albumID: Int?
  var genre: Genre
  var milliseconds: Int
  var tags: [String]
  var content: [UInt8]

  static let schema = Schema(
    "track", Song.init, Column("id", \.id), Column("name", \.name),
    Column("album_id", \.albumID, .references(Disc.self)), Column("genre", \.genre),
    Column("milliseconds", \.milliseconds), Column("tags", json: \.tags), Column("content", \.content))
}

extension RowFields where Element == Song {
  fileprivate var album: Referred<Disc> { Referred(by: \.albumID, of: self) }
}

private struct TrackLine: Projection, Equatable {
  let name: String
  let album: String?
  let minutes: Int?
  let tags: [String]

  static let projection = ProjectionSchema(
    of: Song.self, TrackLine.init, Projected(\.name), Projected { $0.album.title },
    Projected(as: "minutes") { $0.milliseconds / 60_000 }, Projected(\.tags))
}

private struct Genre: Projection, Equatable {
  let genre: Song.Genre

  static let projection = ProjectionSchema(of: Song.self, Genre.init, Projected(\.genre))
}

private struct Wrong: Projection {
  let album: String

  static let projection = ProjectionSchema(
    of: Song.self, Wrong.init, Projected(.path("album_id", "title"), as: "album"))
}

@Suite("A plain struct of some columns is found as a model type is")
struct TypedProjectionTests {
  static let stores: [@Sendable () throws -> any Store] = [{ MemoryStore() }, { try SQLiteStore.inMemory() }]

  private func tracks(_ index: Int) async throws -> AnyRepository<Song> {
    let store = try Self.stores[index]()
    try await store.repository(Disc.schema).save([Disc(id: 1, title: "Dawn")])
    let tracks = try store.repository(Song.schema)
    try await tracks.save([
      Song(id: 1, name: "One", albumID: 1, genre: .rock, milliseconds: 200_000, tags: ["a"], content: [1]),
      Song(id: 2, name: "Two", albumID: nil, genre: .jazz, milliseconds: 400_000, tags: [], content: [2]),
      Song(id: 3, name: "Three", albumID: 1, genre: .rock, milliseconds: 300_000, tags: ["b", "c"], content: []),
    ])
    return tracks
  }

  @Test("with properties, paths and expressions", arguments: stores.indices)
  func typed(_ index: Int) async throws {
    let tracks = try await tracks(index)
    let lines = try await tracks.findAll(
      as: TrackLine.self, where: { $0.milliseconds > 200_000 }, sortedBy: .descending(\.milliseconds))
    #expect(
      lines == [
        TrackLine(name: "Two", album: nil, minutes: 6, tags: []),
        TrackLine(name: "Three", album: "Dawn", minutes: 5, tags: ["b", "c"]),
      ])
    #expect(try await tracks.findAll(as: TrackLine.self, limit: 1, offset: 1).map(\.name) == ["Two"])
    let byName = FetchRequest(sortedBy: try AnySort(parsing: "minutes, name"))
    #expect(try await tracks.findAll(as: TrackLine.self, byName).map(\.name) == ["One", "Three", "Two"])
  }

  @Test("distinct, and the first of each group", arguments: stores.indices)
  func groups(_ index: Int) async throws {
    let tracks = try await tracks(index)
    #expect(try await tracks.findDistinct(as: Genre.self).map(\.genre) == [.jazz, .rock])
    #expect(try await tracks.first(1, ofEach: \.genre, sortedBy: .descending(\.milliseconds)).map(\.id) == [2, 3])
    #expect(
      try await tracks.first(1, ofEach: \.genre, \.albumID, where: { $0.id < 3 }, sortedBy: .ascending(\.name))
        .map(\.name) == ["One", "Two"])
  }

  @Test("What does not fit its property is an error that names both", arguments: stores.indices)
  func unreadable(_ index: Int) async throws {
    let tracks = try await tracks(index)
    let error = await #expect(throws: RepositoryError.self) { try await tracks.findAll(as: Wrong.self) }
    #expect(error?.code == .unreadableRow && error?.summary.contains("album") == true)
    #expect(error?.summary.contains("row 2 of the result") == true, "\(error.map { "\($0)" } ?? "")")
  }
}
