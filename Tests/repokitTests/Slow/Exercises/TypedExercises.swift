import Foundation
import SQLiteStore

/// The questions of the exercises as typed queries: their answers, field by field.
struct TypedExercise: Sendable {
  let question: String
  let answer: @Sendable (TypedShop) async throws -> [[String]]

  init(_ question: String, _ answer: @escaping @Sendable (TypedShop) async throws -> [[String]]) {
    (self.question, self.answer) = (question, answer)
  }

  /// An exercise whose answer is a number.
  init(counting question: String, _ answer: @escaping @Sendable (TypedShop) async throws -> Int) {
    self.init(question) { [line(try await answer($0))] }
  }
}

/// A row of an answer, as SQLite's shell prints it.
func line(_ fields: (any CustomStringConvertible)?...) -> [String] { fields.map { $0?.description ?? "\\N" } }

extension TypedExercise {
  static let reading: [TypedExercise] = [
    TypedExercise("customers who are not in the USA") { shop in
      let rows = try await shop.customers.findAll(where: { $0.country != "USA" })
      return rows.map { line($0.lastName, $0.country) }
    },
    TypedExercise("sales agents") { shop in
      let rows = try await shop.employees.findAll(where: { $0.title.contains("agent", ignoringCase: true) })
      return rows.map { line($0.lastName, $0.title) }
    },
    TypedExercise("invoices of customers in Brazil, the latest first") { shop in
      let rows = try await shop.invoices.findAll(
        where: { $0.customer.country == "Brazil" }, sortedBy: { $0.date.descending + $0.id.ascending })
      return rows.map { line($0.id, $0.total) }
    },
    TypedExercise("invoices in the order of their agents") { shop in
      let rows = try await shop.invoices.findAll(
        where: { $0.customer.agent.title == "Sales Support Agent" },
        sortedBy: { $0.customer.agent.lastName.ascending + $0.customer.lastName.descending + $0.id.ascending })
      return rows.map { line($0.id) }
    },
    TypedExercise("tracks of an artist") { shop in
      let rows = try await shop.tracks.findAll(where: { $0.album.artist.name == "AC/DC" })
      return rows.map { line($0.name) }
    },
    TypedExercise(counting: "tracks that are not of that artist, those without an album among them") { shop in
      try await shop.tracks.filter { $0.album.artist.name != "AC/DC" }.count()
    },
    TypedExercise("albums without sales") { shop in
      let rows = try await shop.albums.findAll(where: { $0.tracks.filter { !$0.lines.isEmpty }.isEmpty })
      return rows.map { line($0.title) }
    },
    TypedExercise(counting: "tracks that were never sold") { shop in
      try await shop.tracks.filter { $0.lines.isEmpty }.count()
    },
    TypedExercise("genres that were never sold") { shop in
      let rows = try await shop.genres.findAll(where: { $0.tracks.allSatisfy { $0.lines.isEmpty } })
      return rows.map { line($0.id) }
    },
    TypedExercise(counting: "artists without albums") { shop in
      try await shop.artists.filter { $0.albums.isEmpty }.count()
    },
    TypedExercise("playlists without tracks") { shop in
      let rows = try await shop.playlists.findAll(where: { $0.entries.isEmpty })
      return rows.map { line($0.id) }
    },
    TypedExercise("the fullest playlists") { shop in
      let rows = try await shop.playlists.findAll(sortedBy: { $0.entries.count.descending + $0.id.ascending }, limit: 3)
      return rows.map { line($0.id) }
    },
    TypedExercise("albums of more than ten tracks") { shop in
      let rows = try await shop.albums.findAll(where: { $0.tracks.count > 10 })
      return rows.map { line($0.id) }
    },
    TypedExercise("the longest albums") { shop in
      let rows = try await shop.albums.findAll(
        sortedBy: { ($0.tracks.sum { $0.milliseconds }).descending + $0.id.ascending }, limit: 5)
      return rows.map { line($0.id) }
    },
    TypedExercise(counting: "albums on which every track is short") { shop in
      try await shop.albums.filter { !$0.tracks.isEmpty && $0.tracks.allSatisfy { $0.milliseconds <= 360_000 } }.count()
    },
    TypedExercise("who bought rock, by address") { shop in
      let rows = try await shop.customers.findAll(
        where: { $0.invoices.contains { $0.lines.contains { $0.track.genre.name == "Rock" } } },
        sortedBy: { $0.email.ascending })
      return rows.map { line($0.email, $0.firstName, $0.lastName) }
    },
    TypedExercise(counting: "who bought nothing of an artist") { shop in
      try await shop.customers.filter {
        !$0.invoices.contains { $0.lines.contains { $0.track.album.artist.name == "AC/DC" } }
      }.count()
    },
    TypedExercise("employees and whom they report to") { shop in
      let rows = try await shop.employees.findAll(where: { $0.manager.title == "General Manager" })
      return rows.map { line($0.lastName) }
    },
    TypedExercise("employees two levels below the top") { shop in
      let rows = try await shop.employees.findAll(where: {
        $0.manager.reportsTo != nil && $0.manager.manager.reportsTo == nil
      })
      return rows.map { line($0.lastName) }
    },
    TypedExercise("employees without subordinates") { shop in
      let rows = try await shop.employees.findAll(where: { $0.reports.isEmpty })
      return rows.map { line($0.lastName) }
    },
    TypedExercise("employees hired before whom they report to") { shop in
      let rows = try await shop.employees.findAll(where: { $0.hireDate < $0.manager.hireDate })
      return rows.map { line($0.lastName) }
    },
    TypedExercise("employees younger than 40 when they were hired") { shop in
      let rows = try await shop.employees.findAll(where: { $0.hireDate.year - $0.birthDate.year < 40 })
      return rows.map { line($0.lastName) }
    },
    TypedExercise(counting: "customers in the country of their agent") { shop in
      try await shop.customers.filter { $0.country == $0.agent.country }.count()
    },
    TypedExercise("customers who spent more than forty") { shop in
      let rows = try await shop.customers.findAll(where: { $0.invoices.sum { $0.total } > 40 })
      return rows.map { line($0.id) }
    },
    TypedExercise(counting: "invoices that don't add up") { shop in
      try await shop.invoices.filter { ($0.total - $0.lines.sum { $0.unitPrice * $0.quantity }).abs > 0.001 }.count()
    },
    TypedExercise(counting: "invoices of two years") { shop in
      try await shop.invoices.filter { $0.date.year.in([2021, 2023]) }.count()
    },
    TypedExercise(counting: "lines of an invoice") { shop in try await shop.lines.filter { $0.invoiceID == 37 }.count()
    },
    TypedExercise(counting: "tracks on more than two playlists") { shop in
      try await shop.tracks.filter { $0.entries.count > 2 }.count()
    },
    TypedExercise("names as one text") { shop in
      let rows = try await shop.customers.findAll(where: { ($0.firstName + " " + $0.lastName).length > 13 })
      return rows.map { line($0.email) }
    },
  ]
}
