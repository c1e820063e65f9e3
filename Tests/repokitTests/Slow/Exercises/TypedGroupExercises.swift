import Foundation
import SQLiteStore

extension TypedExercise {
  /// What groups of rows come to.
  static let groups: [TypedExercise] = [
    TypedExercise("customers of each agent") { shop in
      let rows = try await shop.customers.aggregate(.count, groupedBy: { $0.agent.lastName })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("sales of each agent, the best first") { shop in
      let rows = try await shop.invoices.aggregate(
        .sum(\.total), groupedBy: { $0.customer.agent.lastName }, sortedBy: .descending(.sum(\.total))
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("the best agent of a year") { shop in
      let rows = try await shop.invoices.aggregate(
        .sum(\.total), groupedBy: { $0.customer.agent.lastName }, where: { $0.date.year == 2022 },
        sortedBy: .descending(.sum(\.total)), limit: 1
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("sales of each country") { shop in
      let rows = try await shop.invoices.aggregate(
        .sum(\.total), .count, groupedBy: \.country, sortedBy: .descending(.sum(\.total))
      )
      return rows.map { line($0.key, $0.aggregates.0, $0.aggregates.1) }
    },
    TypedExercise("sales of each year") { shop in
      let rows = try await shop.invoices.aggregate(.sum(\.total), groupedBy: { $0.date.year })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("sales of each month") { shop in
      let rows = try await shop.invoices.aggregate(.sum(\.total), groupedBy: { $0.date.yearMonth })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("sales of each quarter") { shop in
      let rows = try await shop.invoices.aggregate(
        .sum(\.total), groupedBy: { $0.date.year }, { ($0.date.month + 2) / 3 }
      )
      return rows.map { line($0.key.0, $0.key.1, $0.aggregates) }
    },
    TypedExercise("lines of each invoice") { shop in
      let rows = try await shop.lines.aggregate(.sum(\.quantity), .count, groupedBy: \.invoiceID)
      return rows.map { line($0.key, $0.aggregates.0, $0.aggregates.1) }
    },
    TypedExercise("tracks of each playlist") { shop in
      let rows = try await shop.entries.aggregate(.count, groupedBy: { $0.playlist.name })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("what was sold most") { shop in
      let rows = try await shop.lines.aggregate(
        .sum(\.quantity), groupedBy: { $0.trackID }, { $0.track.name }, sortedBy: .descending(.sum(\.quantity)),
        limit: 5
      )
      return rows.map { line($0.key.0, $0.key.1, $0.aggregates) }
    },
    TypedExercise("the three artists that sell best") { shop in
      let rows = try await shop.lines.aggregate(
        .sum { $0.unitPrice * $0.quantity }, groupedBy: { $0.track.album.artist.name },
        sortedBy: .descending(.sum { $0.unitPrice * $0.quantity }), limit: 3
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("the media type that sells best") { shop in
      let rows = try await shop.lines.aggregate(
        .sum(\.quantity), groupedBy: { $0.track.mediaType.name }, sortedBy: .descending(.sum(\.quantity)), limit: 1
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("sales of genres in one country") { shop in
      let rows = try await shop.lines.aggregate(
        .sum(\.quantity), groupedBy: { $0.track.genre.name }, where: { $0.invoice.country == "USA" }
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("length of the tracks of each genre, in minutes") { shop in
      let rows = try await shop.tracks.aggregate(
        .average { $0.milliseconds / 60_000.0 }, .min(\.name), .max(\.milliseconds), groupedBy: { $0.genre.name }
      )
      return rows.map { line($0.key, $0.aggregates.0, $0.aggregates.1, $0.aggregates.2) }
    },
    TypedExercise("tracks with and without a composer") { shop in
      let rows = try await shop.tracks.aggregate(.count, groupedBy: { Field.if($0.composer == nil, "a, none", "some") })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("artists by the number of their albums") { shop in
      let rows = try await shop.artists.aggregate(.count, groupedBy: { $0.albums.count })
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("customers who are companies, by country") { shop in
      let rows = try await shop.customers.aggregate(
        .sum { Field.if($0.company == nil, 0, 1) }, .count, groupedBy: \.country
      )
      return rows.map { line($0.key, $0.aggregates.0, $0.aggregates.1) }
    },
    TypedExercise("invoices by the day of the week") { shop in
      let rows = try await shop.invoices.aggregate(.count, groupedBy: { $0.date.weekday })
      return rows.map { line($0.key, $0.aggregates) }
    },
  ]

  /// Projections, conditions on groups, and the first of each group.
  static let columns: [TypedExercise] = [
    TypedExercise("countries of invoices") { shop in
      let rows = try await shop.invoices.findDistinct(as: Country.self)
      return rows.map { line($0.name) }
    },
    TypedExercise("tracks with album and length in minutes") { shop in
      let rows = try await shop.tracks.findAll(as: TrackLine.self, where: { $0.milliseconds > 300_000 })
      return rows.map { line($0.name, $0.album, $0.minutes) }
    },
    TypedExercise("invoices with their customers, by a column of the result") { shop in
      let rows = try await shop.invoices.findAll(
        as: Bill.self,
        sortedBy: .ascending { $0.customer.firstName + " " + $0.customer.lastName } + .ascending(\.id), limit: 20
      )
      return rows.map { line($0.id, $0.customer, $0.total) }
    },
    TypedExercise("countries and years of invoices, each once") { shop in
      let rows = try await shop.invoices.findDistinct(as: CountryYear.self)
      return rows.map { line($0.country, $0.year) }
    },
    TypedExercise("the longest track of each genre") { shop in
      let rows = try await shop.tracks.first(
        1, ofEach: \.genreID, as: Longest.self, where: { $0.genreID != nil },
        sortedBy: .descending(\.milliseconds) + .ascending(\.name)
      )
      return rows.map { line($0.genre, $0.name, $0.milliseconds) }
    },
    TypedExercise("the two best customers of each country") { shop in
      let rows = try await shop.customers.first(
        2, ofEach: \.country, where: { $0.country != nil },
        sortedBy: .descending { $0.invoices.sum { $0.total } } + .ascending(\.id)
      )
      return rows.map { line($0.id, $0.country) }
    },
    TypedExercise("countries with more than ten invoices") { shop in
      let rows = try await shop.invoices.aggregate(
        .count, groupedBy: \.country, having: { $0[.count] > 10 && $0[\.country] != "USA" }
      )
      return rows.map { line($0.key, $0.aggregates) }
    },
    TypedExercise("composers of each genre, and how many tracks cost more") { shop in
      let rows = try await shop.tracks.aggregate(
        .countDistinct(\.composer), .count.where { $0.unitPrice > 1 }, .count, groupedBy: { $0.genre.name }
      )
      return rows.map { line($0.key, $0.aggregates.0, $0.aggregates.1, $0.aggregates.2) }
    },
    TypedExercise("years in which no invoice was great") { shop in
      let rows = try await shop.invoices.aggregate(
        .max(\.total), groupedBy: { $0.date.year }, having: { $0[.max(\.total)] < 20 }
      )
      return rows.map { line($0.key, $0.aggregates) }
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
