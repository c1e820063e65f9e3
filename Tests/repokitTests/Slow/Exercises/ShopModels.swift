import Foundation
import SQLiteStore

/// The music shop's tables as models, as a program declares them.
enum Shop {
  struct Artist: Entity {
    let id: Int
    var name: String?
    static let schema = Schema("Artist", Artist.init, Column("ArtistId", \.id, .primaryKey), Column("Name", \.name))
  }

  struct Album: Entity {
    let id: Int
    var title: String
    var artistID: Int
    static let schema = Schema(
      "Album", Album.init, Column("AlbumId", \.id, .primaryKey), Column("Title", \.title),
      Column("ArtistId", \.artistID, .references(Artist.self)))
  }

  struct Genre: Entity {
    let id: Int
    var name: String?
    static let schema = Schema("Genre", Genre.init, Column("GenreId", \.id, .primaryKey), Column("Name", \.name))
  }

  struct MediaType: Entity {
    let id: Int
    var name: String?
    static let schema = Schema(
      "MediaType", MediaType.init, Column("MediaTypeId", \.id, .primaryKey), Column("Name", \.name))
  }

  struct Track: Entity {
    let id: Int
    var name: String
    var albumID: Int?
    var mediaTypeID: Int
    var genreID: Int?
    var composer: String?
    var milliseconds: Int
    var bytes: Int?
    var unitPrice: Double
    static let schema = Schema(
      "Track", Track.init, Column("TrackId", \.id, .primaryKey), Column("Name", \.name),
      Column("AlbumId", \.albumID, .references(Album.self)),
      Column("MediaTypeId", \.mediaTypeID, .references(MediaType.self)),
      Column("GenreId", \.genreID, .references(Genre.self)), Column("Composer", \.composer),
      Column("Milliseconds", \.milliseconds), Column("Bytes", \.bytes), Column("UnitPrice", \.unitPrice))
  }

  struct Playlist: Entity {
    let id: Int
    var name: String?
    static let schema = Schema(
      "Playlist", Playlist.init, Column("PlaylistId", \.id, .primaryKey), Column("Name", \.name))
  }

  struct Entry: Entity {
    struct ID: PrimaryKey {
      let playlistID: Int
      let trackID: Int
      func keyValues() throws(ValueError) -> [Value] { [try playlistID.makeValue(), try trackID.makeValue()] }
    }

    let playlistID: Int
    let trackID: Int
    var id: ID { ID(playlistID: playlistID, trackID: trackID) }
    static let schema = Schema(
      "PlaylistTrack", Entry.init, Column("PlaylistId", \.playlistID, .primaryKey, .references(Playlist.self)),
      Column("TrackId", \.trackID, .primaryKey, .references(Track.self)))
  }

  struct Employee: Entity {
    let id: Int
    var lastName: String
    var firstName: String
    var title: String?
    var reportsTo: Int?
    var birthDate: Date?
    var hireDate: Date?
    var country: String?
    static let schema = Schema(
      "Employee", Employee.init, Column("EmployeeId", \.id, .primaryKey), Column("LastName", \.lastName),
      Column("FirstName", \.firstName), Column("Title", \.title),
      Column("ReportsTo", \.reportsTo, .references(Employee.self)), Column("BirthDate", \.birthDate),
      Column("HireDate", \.hireDate), Column("Country", \.country))
  }

  struct Customer: Entity {
    let id: Int
    var firstName: String
    var lastName: String
    var company: String?
    var country: String?
    var email: String
    var agentID: Int?
    static let schema = Schema(
      "Customer", Customer.init, Column("CustomerId", \.id, .primaryKey), Column("FirstName", \.firstName),
      Column("LastName", \.lastName), Column("Company", \.company), Column("Country", \.country),
      Column("Email", \.email), Column("SupportRepId", \.agentID, .references(Employee.self)))
  }

  struct Invoice: Entity {
    let id: Int
    var customerID: Int
    var date: Date
    var country: String?
    var total: Double
    static let schema = Schema(
      "Invoice", Invoice.init, Column("InvoiceId", \.id, .primaryKey),
      Column("CustomerId", \.customerID, .references(Customer.self)), Column("InvoiceDate", \.date),
      Column("BillingCountry", \.country), Column("Total", \.total))
  }

  struct Line: Entity {
    let id: Int
    var invoiceID: Int
    var trackID: Int
    var unitPrice: Double
    var quantity: Int
    static let schema = Schema(
      "InvoiceLine", Line.init, Column("InvoiceLineId", \.id, .primaryKey),
      Column("InvoiceId", \.invoiceID, .references(Invoice.self)),
      Column("TrackId", \.trackID, .references(Track.self)),
      Column("UnitPrice", \.unitPrice), Column("Quantity", \.quantity))
  }
}

// To one.
extension RowFields where Element == Shop.Album {
  var artist: Referred<Shop.Artist> { Referred(by: \.artistID, of: self) }
}
extension RowFields where Element == Shop.Track {
  var album: Referred<Shop.Album> { Referred(by: \.albumID, of: self) }
  var genre: Referred<Shop.Genre> { Referred(by: \.genreID, of: self) }
  var mediaType: Referred<Shop.MediaType> { Referred(by: \.mediaTypeID, of: self) }
}
extension RowFields where Element == Shop.Entry {
  var playlist: Referred<Shop.Playlist> { Referred(by: \.playlistID, of: self) }
}
extension RowFields where Element == Shop.Employee {
  var manager: Referred<Shop.Employee> { Referred(by: \.reportsTo, of: self) }
}
extension RowFields where Element == Shop.Customer {
  var agent: Referred<Shop.Employee> { Referred(by: \.agentID, of: self) }
}
extension RowFields where Element == Shop.Invoice {
  var customer: Referred<Shop.Customer> { Referred(by: \.customerID, of: self) }
}
extension RowFields where Element == Shop.Line {
  var invoice: Referred<Shop.Invoice> { Referred(by: \.invoiceID, of: self) }
  var track: Referred<Shop.Track> { Referred(by: \.trackID, of: self) }
}

// To many.
extension Fields where Element == Shop.Artist {
  var albums: Referring<Shop.Album> { Referring(by: \.artistID, to: self) }
}
extension Fields where Element == Shop.Album {
  var tracks: Referring<Shop.Track> { Referring(by: \.albumID, to: self) }
}
extension Fields where Element == Shop.Genre {
  var tracks: Referring<Shop.Track> { Referring(by: \.genreID, to: self) }
}
extension Fields where Element == Shop.Track {
  var lines: Referring<Shop.Line> { Referring(by: \.trackID, to: self) }
  var entries: Referring<Shop.Entry> { Referring(by: \.trackID, to: self) }
}
extension Fields where Element == Shop.Playlist {
  var entries: Referring<Shop.Entry> { Referring(by: \.playlistID, to: self) }
}
extension Fields where Element == Shop.Employee {
  var reports: Referring<Shop.Employee> { Referring(by: \.reportsTo, to: self) }
}
extension Fields where Element == Shop.Customer {
  var invoices: Referring<Shop.Invoice> { Referring(by: \.customerID, to: self) }
}
extension Fields where Element == Shop.Invoice {
  var lines: Referring<Shop.Line> { Referring(by: \.invoiceID, to: self) }
}
