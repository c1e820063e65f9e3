import Foundation
import SQLiteStore

extension TypedExercise {
  /// What groups of rows come to.
  static let groups: [TypedExercise] = [
    TypedExercise("customers of each agent") { shop in
      let rows = try await shop.customers.selection().grouped(by: { $0.agent.lastName }).aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("sales of each agent, the best first") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.customer.agent.lastName }).sorted(
        by: .descending(.sum(\.total))
      ).aggregate(.sum(\.total))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("the best agent of a year") { shop in
      let rows = try await shop.invoices.filter { $0.date.year == 2022 }.grouped(by: { $0.customer.agent.lastName })
        .sorted(by: .descending(.sum(\.total))).prefix(1).aggregate(.sum(\.total))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("sales of each country") { shop in
      let rows = try await shop.invoices.selection().grouped(by: \.country).sorted(by: .descending(.sum(\.total)))
        .aggregate(.sum(\.total), .count)
      return rows.map { line($0.key, $0.values.0, $0.values.1) }
    },
    TypedExercise("sales of each year") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.date.year }).aggregate(.sum(\.total))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("sales of each month") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.date.yearMonth }).aggregate(.sum(\.total))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("sales of each quarter") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.date.year }, { ($0.date.month + 2) / 3 })
        .aggregate(.sum(\.total))
      return rows.map { line($0.key.0, $0.key.1, $0.values) }
    },
    TypedExercise("lines of each invoice") { shop in
      let rows = try await shop.lines.selection().grouped(by: \.invoiceID).aggregate(.sum(\.quantity), .count)
      return rows.map { line($0.key, $0.values.0, $0.values.1) }
    },
    TypedExercise("tracks of each playlist") { shop in
      let rows = try await shop.entries.selection().grouped(by: { $0.playlist.name }).aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("what was sold most") { shop in
      let rows = try await shop.lines.selection().grouped(by: { $0.trackID }, { $0.track.name }).sorted(
        by: .descending(.sum(\.quantity))
      ).prefix(5).aggregate(.sum(\.quantity))
      return rows.map { line($0.key.0, $0.key.1, $0.values) }
    },
    TypedExercise("the three artists that sell best") { shop in
      let rows = try await shop.lines.selection().grouped(by: { $0.track.album.artist.name }).sorted(
        by: .descending(.sum { $0.unitPrice * $0.quantity })
      ).prefix(3).aggregate(.sum { $0.unitPrice * $0.quantity })
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("the media type that sells best") { shop in
      let rows = try await shop.lines.selection().grouped(by: { $0.track.mediaType.name }).sorted(
        by: .descending(.sum(\.quantity))
      ).prefix(1).aggregate(.sum(\.quantity))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("sales of genres in one country") { shop in
      let rows = try await shop.lines.filter { $0.invoice.country == "USA" }.grouped(by: { $0.track.genre.name })
        .aggregate(.sum(\.quantity))
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("length of the tracks of each genre, in minutes") { shop in
      let rows = try await shop.tracks.selection().grouped(by: { $0.genre.name }).aggregate(
        .average { $0.milliseconds / 60_000.0 }, .min(\.name), .max(\.milliseconds))
      return rows.map { line($0.key, $0.values.0, $0.values.1, $0.values.2) }
    },
    TypedExercise("tracks with and without a composer") { shop in
      let rows = try await shop.tracks.selection().grouped(by: { Field.if($0.composer == nil, "a, none", "some") })
        .aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("artists by the number of their albums") { shop in
      let rows = try await shop.artists.selection().grouped(by: { $0.albums.count }).aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("customers who are companies, by country") { shop in
      let rows = try await shop.customers.selection().grouped(by: \.country).aggregate(
        .sum { Field.if($0.company == nil, 0, 1) }, .count)
      return rows.map { line($0.key, $0.values.0, $0.values.1) }
    },
    TypedExercise("invoices by the day of the week") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.date.weekday }).aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
  ]

  /// Projections, conditions on groups, and the first of each group.
  static let columns: [TypedExercise] = [
    TypedExercise("countries of invoices") { shop in
      let rows = try await shop.invoices.selection().distinct(Country.self)
      return rows.map { line($0.name) }
    },
    TypedExercise("tracks with album and length in minutes") { shop in
      let rows = try await shop.tracks.filter { $0.milliseconds > 300_000 }.select(TrackLine.self)
      return rows.map { line($0.name, $0.album, $0.minutes) }
    },
    TypedExercise("invoices with their customers, by a column of the result") { shop in
      let rows = try await shop.invoices.sorted {
        ($0.customer.firstName + " " + $0.customer.lastName).ascending + $0.id.ascending
      }.prefix(20).select(Bill.self)
      return rows.map { line($0.id, $0.customer, $0.total) }
    },
    TypedExercise("countries and years of invoices, each once") { shop in
      let rows = try await shop.invoices.selection().distinct(CountryYear.self)
      return rows.map { line($0.country, $0.year) }
    },
    TypedExercise("the longest track of each genre") { shop in
      let rows = try await shop.tracks.filter { $0.genreID != nil }.sorted {
        $0.milliseconds.descending + $0.name.ascending
      }.grouped(by: \.genreID).first(1, as: Longest.self)
      return rows.map { line($0.genre, $0.name, $0.milliseconds) }
    },
    TypedExercise("the two best customers of each country") { shop in
      let rows = try await shop.customers.filter { $0.country != nil }.sorted {
        ($0.invoices.sum { $0.total }).descending + $0.id.ascending
      }.grouped(by: \.country).first(2)
      return rows.map { line($0.id, $0.country) }
    },
    TypedExercise("countries with more than ten invoices") { shop in
      let rows = try await shop.invoices.selection().grouped(by: \.country).having {
        $0[.count] > 10 && $0[\.country] != "USA"
      }.aggregate(.count)
      return rows.map { line($0.key, $0.values) }
    },
    TypedExercise("composers of each genre, and how many tracks cost more") { shop in
      let rows = try await shop.tracks.selection().grouped(by: { $0.genre.name }).aggregate(
        .countDistinct(\.composer), .count.where { $0.unitPrice > 1 }, .count)
      return rows.map { line($0.key, $0.values.0, $0.values.1, $0.values.2) }
    },
    TypedExercise("years in which no invoice was great") { shop in
      let rows = try await shop.invoices.selection().grouped(by: { $0.date.year }).having { $0[.max(\.total)] < 20 }
        .aggregate(.max(\.total))
      return rows.map { line($0.key, $0.values) }
    },
  ]
}

private struct Country: Projection {
  let name: String?
  static let projection = ProjectionSchema(of: Shop.Invoice.self, Country.init, Projected(\.country))
}

private struct CountryYear: Projection {
  let country: String?
  let year: Int?
  static let projection = ProjectionSchema(
    of: Shop.Invoice.self, CountryYear.init, Projected(\.country), Projected(as: "year") { $0.date.year })
}

private struct TrackLine: Projection {
  let name: String
  let album: String?
  let minutes: Int?
  static let projection = ProjectionSchema(
    of: Shop.Track.self, TrackLine.init, Projected(\.name), Projected { $0.album.title },
    Projected(as: "minutes") { $0.milliseconds / 60_000 })
}

private struct Bill: Projection {
  let id: Int
  let customer: String?
  let total: Double
  static let projection = ProjectionSchema(
    of: Shop.Invoice.self, Bill.init, Projected(\.id),
    Projected(as: "customer") { $0.customer.firstName + " " + $0.customer.lastName }, Projected(\.total))
}

private struct Longest: Projection {
  let genre: String?
  let name: String
  let milliseconds: Int
  static let projection = ProjectionSchema(
    of: Shop.Track.self, Longest.init, Projected(as: "genre") { $0.genre.name }, Projected(\.name),
    Projected(\.milliseconds))
}
