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

  static let album = ToOne(\Song.albumID, to: Disc.self)
  static let schema = Schema(
    "track", Song.init, Column("id", \.id), Column("name", \.name),
    Column("album_id", \.albumID), Column("genre", \.genre),
    Column("milliseconds", \.milliseconds), Column("tags", json: \.tags), Column("content", \.content)
  ).references(album)
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
    let lines = try await tracks.filter { $0.milliseconds > 200_000 }.sorted { $0.milliseconds.descending }.select(
      TrackLine.self)
    #expect(
      lines == [
        TrackLine(name: "Two", album: nil, minutes: 6, tags: []),
        TrackLine(name: "Three", album: "Dawn", minutes: 5, tags: ["b", "c"]),
      ])
    #expect(try await tracks.selection().dropFirst().prefix(1).select(TrackLine.self).map(\.name) == ["Two"])
    let byName = FetchRequest(sortedBy: try AnySort(parsing: "minutes, name"))
    #expect(try await tracks.selection(byName).select(TrackLine.self).map(\.name) == ["One", "Three", "Two"])
  }

  @Test("without a type of their own, as tuples", arguments: stores.indices)
  func tuples(_ index: Int) async throws {
    let tracks = try await tracks(index)
    let names: [String] = try await tracks.sorted(by: \.name.ascending).select(\.name)
    #expect(names == ["One", "Three", "Two"])
    let lines = try await tracks.selection().select { ($0.name, $0.album.title, $0.milliseconds / 60_000) }
    #expect(
      lines.map { "\($0.0), \($0.1 ?? "none"), \($0.2 ?? 0)" } == ["One, Dawn, 3", "Two, none, 6", "Three, Dawn, 5"])
    #expect(try await tracks.selection().distinct(\.genre) == [.jazz, .rock])
    let pairs = try await tracks.selection().distinct { ($0.genre, $0.albumID) }
    #expect(pairs.map { "\($0.0), \($0.1 ?? 0)" } == ["jazz, 0", "rock, 1"])
  }

  @Test("distinct, and the first of each group", arguments: stores.indices)
  func groups(_ index: Int) async throws {
    let tracks = try await tracks(index)
    #expect(try await tracks.selection().distinct(Genre.self).map(\.genre) == [.jazz, .rock])
    #expect(try await tracks.sorted { $0.milliseconds.descending }.grouped(by: \.genre).first(1).map(\.id) == [2, 3])
    #expect(
      try await tracks.filter { $0.id < 3 }.sorted { $0.name.ascending }.grouped(by: \.genre, \.albumID).first(1)
        .map(\.name) == ["One", "Two"])
  }

  @Test("A value that does not fit its property is an error that names both", arguments: stores.indices)
  func unreadable(_ index: Int) async throws {
    let tracks = try await tracks(index)
    let error = await #expect(throws: RepositoryError.self) { try await tracks.selection().select(Wrong.self) }
    #expect(error?.code == .unreadableRow && error?.summary.contains("album") == true)
    #expect(error?.summary.contains("row 2 of the result") == true, "\(error.map { "\($0)" } ?? "")")
  }
}
