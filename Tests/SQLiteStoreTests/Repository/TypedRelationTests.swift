import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Models whose relations are declared in extensions, as a program declares them.
struct Artist: Entity {
  let id: Int
  var name: String
  static let schema = Schema("artist", Artist.init, Column("id", \.id), Column("name", \.name))
}

struct Album: Entity {
  let id: Int
  var title: String
  var artistID: Int
  var released: Date?
  static let artist = ToOne(\Album.artistID, to: Artist.self)
  static let schema = Schema(
    "album", Album.init, Column("id", \.id), Column("title", \.title),
    Column("artist_id", \.artistID), Column("released", \.released)
  ).references(artist)
}

struct Track: Entity {
  let id: Int?
  var name: String
  var albumID: Int?
  var milliseconds: Int
  var price: Double?
  var isLive: Bool
  static let album = ToOne(\Track.albumID, to: Album.self)
  static let schema = Schema(
    "track", Track.init, Column("id", \.id, .generated), Column("name", \.name),
    Column("album_id", \.albumID), Column("ms", \.milliseconds), Column("price", \.price),
    Column("is_live", \.isLive)
  ).references(album)
}

struct Mark: Entity {
  let id: Int
  var trackID: Int
  static let track = ToOne(\Mark.trackID, to: Track.self)
  static let schema = Schema(
    "mark", Mark.init, Column("id", \.id), Column("track_id", \.trackID)
  ).references(track)
}

extension Track {
  static let wrong = ToOne(\Track.albumID, to: Artist.self)
}

extension Artist {
  static let albums = ToMany(Album.artist)
}
extension Album {
  static let tracks = ToMany(Track.album)
}
extension Track {
  static let marks = ToMany(Mark.track)
}

@Suite("Closures lead to related rows and calculate")
struct TypedRelationTests {
  @Test(
    "as the text form says it",
    arguments: [
      (AnyQuery(Track.self) { $0.album.title == "Help!" }, "album_id.title = 'Help!'"),
      (AnyQuery(Track.self) { $0.album.artist.name.hasPrefix("T") }, "album_id.artist_id.name starts with 'T'"),
      (
        AnyQuery(Track.self) { $0.album.released == nil && !$0.isLive }, "album_id.released is null and not is_live = 1"
      ),
      (AnyQuery(Track.self) { $0.name != $0.album.title }, "name != album_id.title"),
      (AnyQuery(Track.self) { $0.album.id.in(1...3) }, "album_id.id between 1 and 3"),
      (
        AnyQuery(Mark.self) { $0.track.isLive && $0.track.album.id > 3 },
        "track_id.is_live = 1 and track_id.album_id.id > 3"
      ),
      (AnyQuery(Mark.self) { $0.track.price < 1 }, "track_id.price < 1.0"),
      (
        AnyQuery(Album.self) { $0.tracks.contains { $0.milliseconds > 300 } },
        "any track by album_id (ms > 300)"
      ),
      (AnyQuery(Album.self) { $0.tracks.isEmpty }, "no track by album_id"),
      (AnyQuery(Album.self) { $0.tracks.allSatisfy { $0.isLive } }, "no track by album_id (not is_live = 1)"),
      (AnyQuery(Album.self) { $0.tracks.count > 10 }, "count(track by album_id) > 10"),
      (
        AnyQuery(Album.self) { $0.tracks.count(where: { $0.price > 1 }) == 2 },
        "count(track by album_id where price > 1.0) = 2"
      ),
      (
        AnyQuery(Album.self) { $0.tracks.filter { $0.isLive }.sum { $0.milliseconds / 1_000 } > 60 },
        "sum(ms / 1000 of track by album_id where is_live = 1) > 60"
      ),
      (AnyQuery(Album.self) { $0.tracks.max { $0.price } >= 2 }, "max(price of track by album_id) >= 2.0"),
      (
        AnyQuery(Artist.self) { $0.albums.contains { $0.tracks.average { $0.milliseconds } > 5 } },
        "any album by artist_id (average(ms of track by album_id) > 5.0)"
      ),
      (AnyQuery(Track.self) { $0.marks.count > 1 }, "count(mark by track_id) > 1"),
      (AnyQuery(Track.self) { $0.price * 2 + 1 > 10 }, "price * 2 + 1 > 10.0"),
      (AnyQuery(Track.self) { 3 - $0.milliseconds < $0.milliseconds % 7 }, "3 - ms < ms % 7"),
      (AnyQuery(Track.self) { $0.milliseconds * $0.price / 2 >= 0.5 }, "ms * price / 2 >= 0.5"),
      (AnyQuery(Track.self) { $0.name + "!" == $0.album.title + "?" }, "name || '!' = album_id.title || '?'"),
      (
        AnyQuery(Track.self) { $0.name.length > 3 && $0.name.folded == "help!" },
        "length(name) > 3 and folded(name) = 'help!'"
      ),
      (
        AnyQuery(Album.self) { $0.released.year == 1965 && $0.released.yearMonth != nil },
        "year(released) = 1965 and yearMonth(released) is not null"
      ),
      (AnyQuery(Track.self) { ($0.price ?? 0) < 1 }, "coalesce(price, 0.0) < 1.0"),
      (AnyQuery(Track.self) { -$0.milliseconds < -1 && $0.milliseconds.abs > 1 }, "-ms < -1 and abs(ms) > 1"),
    ])
  func text(query: AnyQuery, text: String) throws {
    #expect(query.description == text)
    #expect(try AnyQuery(parsing: text) == query)
  }

  private func saved(_ store: some Store) async throws -> (AnyRepository<Album>, AnyRepository<Track>) {
    let artists = try store.repository(of: Artist.self)
    let albums = try store.repository(of: Album.self)
    let tracks = try store.repository(of: Track.self)
    try await artists.save([Artist(id: 1, name: "The Beatles"), Artist(id: 2, name: "Queen")])
    try await albums.save([
      Album(id: 1, title: "Help!", artistID: 1, released: Date(timeIntervalSince1970: -139_881_600)),
      Album(id: 2, title: "Jazz", artistID: 2, released: nil),
    ])
    try await tracks.save([
      Track(id: 1, name: "Help!", albumID: 1, milliseconds: 138, price: 1, isLive: false),
      Track(id: 2, name: "Yesterday", albumID: 1, milliseconds: 125, price: 1.5, isLive: true),
      Track(id: 3, name: "Mustapha", albumID: 2, milliseconds: 181, price: nil, isLive: false),
      Track(id: 4, name: "Demo", albumID: nil, milliseconds: 60, price: 0.5, isLive: false),
    ])
    return (albums, tracks)
  }

  @Test("in memory and in SQLite, also to sort and to update", arguments: [true, false])
  func stores(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let (albums, tracks) = try await saved(store)
    #expect(try await tracks.findAll(where: { $0.album.artist.name == "The Beatles" }).map(\.id) == [1, 2])
    #expect(try await tracks.findAll(where: { $0.album.title == $0.name }).map(\.id) == [1])
    #expect(try await tracks.findAll(where: { $0.album.title != "Help!" }).map(\.id) == [3, 4])
    #expect(try await albums.findAll(where: { $0.tracks.contains { $0.milliseconds > 150 } }).map(\.id) == [2])
    #expect(try await albums.findAll(where: { $0.tracks.sum { $0.price } == 2.5 }).map(\.id) == [1])
    #expect(try await albums.findAll(where: { $0.released.year == 1965 }).map(\.id) == [1])
    let sorted = try await tracks.findAll(
      where: { $0.milliseconds > 0 }, sortedBy: { $0.album.title.descending(nulls: .first) + ($0.price * 2).ascending })
    #expect(sorted.map(\.id) == [4, 3, 1, 2])
    #expect(
      try await tracks.filter { $0.album.artist.name == "The Beatles" }.update {
        $0.milliseconds += 1_000
        $0.price = $0.price * 2
        $0.name = $0.album.title + " – " + $0.name
      } == 2)
    let changed = try await tracks.findAll(where: { $0.id < 3 })
    #expect(changed.map(\.milliseconds) == [1_138, 1_125] && changed.map(\.price) == [2, 3])
    #expect(changed.map(\.name) == ["Help! – Help!", "Help! – Yesterday"])
    await expectError(.constraint) {
      try await tracks.filter { $0.id == 1 }.update { $0.milliseconds = $0.milliseconds * Int.max }
    }
    await expectError(.invalidQuery, summary: "album_id of Track is not a reference to Artist") {
      try await tracks.findAll(where: { $0.wrong.name == "a" })
    }
  }
}
