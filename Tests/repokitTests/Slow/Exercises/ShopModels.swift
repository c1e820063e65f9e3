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
    static let artist = ToOne(\Album.artistID, to: Artist.self)
    static let schema = Schema(
      "Album", Album.init, Column("AlbumId", \.id, .primaryKey), Column("Title", \.title),
      Column("ArtistId", \.artistID)
    ).references(artist)
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
    static let album = ToOne(\Track.albumID, to: Album.self)
    static let mediaType = ToOne(\Track.mediaTypeID, to: MediaType.self)
    static let genre = ToOne(\Track.genreID, to: Genre.self)
    static let schema = Schema(
      "Track", Track.init, Column("TrackId", \.id, .primaryKey), Column("Name", \.name),
      Column("AlbumId", \.albumID),
      Column("MediaTypeId", \.mediaTypeID),
      Column("GenreId", \.genreID), Column("Composer", \.composer),
      Column("Milliseconds", \.milliseconds), Column("Bytes", \.bytes), Column("UnitPrice", \.unitPrice)
    ).references(album, mediaType, genre)
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
    static let playlist = ToOne(\Entry.playlistID, to: Playlist.self)
    static let track = ToOne(\Entry.trackID, to: Track.self)
    static let schema = Schema(
      "PlaylistTrack", Entry.init, Column("PlaylistId", \.playlistID, .primaryKey),
      Column("TrackId", \.trackID, .primaryKey)
    ).references(playlist, track)
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
    static let manager = ToOne(\Employee.reportsTo, to: Employee.self)
    static let schema = Schema(
      "Employee", Employee.init, Column("EmployeeId", \.id, .primaryKey), Column("LastName", \.lastName),
      Column("FirstName", \.firstName), Column("Title", \.title),
      Column("ReportsTo", \.reportsTo), Column("BirthDate", \.birthDate),
      Column("HireDate", \.hireDate), Column("Country", \.country)
    ).references(manager)
  }

  struct Customer: Entity {
    let id: Int
    var firstName: String
    var lastName: String
    var company: String?
    var country: String?
    var email: String
    var agentID: Int?
    static let agent = ToOne(\Customer.agentID, to: Employee.self)
    static let schema = Schema(
      "Customer", Customer.init, Column("CustomerId", \.id, .primaryKey), Column("FirstName", \.firstName),
      Column("LastName", \.lastName), Column("Company", \.company), Column("Country", \.country),
      Column("Email", \.email), Column("SupportRepId", \.agentID)
    ).references(agent)
  }

  struct Invoice: Entity {
    let id: Int
    var customerID: Int
    var date: Date
    var country: String?
    var total: Double
    static let customer = ToOne(\Invoice.customerID, to: Customer.self)
    static let schema = Schema(
      "Invoice", Invoice.init, Column("InvoiceId", \.id, .primaryKey),
      Column("CustomerId", \.customerID), Column("InvoiceDate", \.date),
      Column("BillingCountry", \.country), Column("Total", \.total)
    ).references(customer)
  }

  struct Line: Entity {
    let id: Int
    var invoiceID: Int
    var trackID: Int
    var unitPrice: Double
    var quantity: Int
    static let invoice = ToOne(\Line.invoiceID, to: Invoice.self)
    static let track = ToOne(\Line.trackID, to: Track.self)
    static let schema = Schema(
      "InvoiceLine", Line.init, Column("InvoiceLineId", \.id, .primaryKey),
      Column("InvoiceId", \.invoiceID),
      Column("TrackId", \.trackID),
      Column("UnitPrice", \.unitPrice), Column("Quantity", \.quantity)
    ).references(invoice, track)
  }
}

// To one.

// To many.
extension Shop.Artist {
  static let albums = ToMany(Shop.Album.artist)
}
extension Shop.Album {
  static let tracks = ToMany(Shop.Track.album)
}
extension Shop.Genre {
  static let tracks = ToMany(Shop.Track.genre)
}
extension Shop.Track {
  static let lines = ToMany(Shop.Line.track)
  static let entries = ToMany(Shop.Entry.track)
}
extension Shop.Playlist {
  static let entries = ToMany(Shop.Entry.playlist)
}
extension Shop.Employee {
  static let reports = ToMany(Shop.Employee.manager)
}
extension Shop.Customer {
  static let invoices = ToMany(Shop.Invoice.customer)
}
extension Shop.Invoice {
  static let lines = ToMany(Shop.Line.invoice)
}
