import Foundation
import SQLiteStore
import Testing

/// Repositories of the music shop's models, in any store.
struct TypedShop: Sendable {
  let artists: AnyRepository<Shop.Artist>
  let albums: AnyRepository<Shop.Album>
  let genres: AnyRepository<Shop.Genre>
  let mediaTypes: AnyRepository<Shop.MediaType>
  let tracks: AnyRepository<Shop.Track>
  let playlists: AnyRepository<Shop.Playlist>
  let entries: AnyRepository<Shop.Entry>
  let employees: AnyRepository<Shop.Employee>
  let customers: AnyRepository<Shop.Customer>
  let invoices: AnyRepository<Shop.Invoice>
  let lines: AnyRepository<Shop.Line>

  init(in store: some Store) throws {
    artists = try store.repository(of: Shop.Artist.self)
    albums = try store.repository(of: Shop.Album.self)
    genres = try store.repository(of: Shop.Genre.self)
    mediaTypes = try store.repository(of: Shop.MediaType.self)
    tracks = try store.repository(of: Shop.Track.self)
    playlists = try store.repository(of: Shop.Playlist.self)
    entries = try store.repository(of: Shop.Entry.self)
    employees = try store.repository(of: Shop.Employee.self)
    customers = try store.repository(of: Shop.Customer.self)
    invoices = try store.repository(of: Shop.Invoice.self)
    lines = try store.repository(of: Shop.Line.self)
  }

  /// The tables of a workshop's `shop.sqlite` in one of the stores.
  static func copies(of workshop: Workshop) async throws -> [(name: String, shop: TypedShop)] {
    let path = workshop.path + "/typed.sqlite"
    _ = try TypedShop(in: SQLiteStore(path: path))
    try workshop.write(rows, to: "rows.sql")
    let copied = try await workshop.shell("sqlite3 typed.sqlite < rows.sql")
    try #require(copied == Outcome(status: 0, output: "", messages: ""))
    let sqlite = try TypedShop(in: SQLiteStore(path: path))
    let memory = try TypedShop(in: MemoryStore())
    try await memory.save(sqlite)
    return [("SQLite", sqlite), ("memory", memory)]
  }

  /// The rows as the library writes them: dates in its own form.
  private static let rows = """
    attach 'shop.sqlite' as shop;
    insert into Artist select ArtistId, Name from shop.Artist;
    insert into Album select AlbumId, Title, ArtistId from shop.Album;
    insert into Genre select GenreId, Name from shop.Genre;
    insert into MediaType select MediaTypeId, Name from shop.MediaType;
    insert into Track select TrackId, Name, AlbumId, MediaTypeId, GenreId, Composer, Milliseconds, Bytes, UnitPrice
      from shop.Track;
    insert into Playlist select PlaylistId, Name from shop.Playlist;
    insert into PlaylistTrack select PlaylistId, TrackId from shop.PlaylistTrack;
    insert into Employee select EmployeeId, LastName, FirstName, Title, ReportsTo,
      strftime('%Y-%m-%dT%H:%M:%S.000000000Z', BirthDate), strftime('%Y-%m-%dT%H:%M:%S.000000000Z', HireDate), Country
      from shop.Employee;
    insert into Customer select CustomerId, FirstName, LastName, Company, Country, Email, SupportRepId
      from shop.Customer;
    insert into Invoice select InvoiceId, CustomerId, strftime('%Y-%m-%dT%H:%M:%S.000000000Z', InvoiceDate),
      BillingCountry, Total from shop.Invoice;
    insert into InvoiceLine select InvoiceLineId, InvoiceId, TrackId, UnitPrice, Quantity from shop.InvoiceLine;
    """

  private func save(_ other: TypedShop) async throws {
    try await artists.save(try await other.artists.findAll())
    try await albums.save(try await other.albums.findAll())
    try await genres.save(try await other.genres.findAll())
    try await mediaTypes.save(try await other.mediaTypes.findAll())
    try await tracks.save(try await other.tracks.findAll())
    try await playlists.save(try await other.playlists.findAll())
    try await entries.save(try await other.entries.findAll())
    try await employees.save(try await other.employees.findAll())
    try await customers.save(try await other.customers.findAll())
    try await invoices.save(try await other.invoices.findAll())
    try await lines.save(try await other.lines.findAll())
  }
}
