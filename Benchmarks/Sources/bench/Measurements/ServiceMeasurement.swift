import Foundation
import Model
import RepositoryService
import SQLiteStore

/// What a web API in front of a repository adds, without a server and a network.
enum ServiceMeasurement {
  static let all = [
    Measurement("service-find") { bed, report in try await find(bed, &report) },
    Measurement("service-rows") { bed, report in try await rows(bed, &report) },
  ]

  private static func service(_ bed: Bed) throws -> RepositoryService {
    let repository = try bed.store.repository(of: Pokemon.self)
    return try RepositoryService {
      Route("pokemon", repository).readingAll().allowing(.wholeResults).pages(
        of: 50, atMost: 500, wholeResults: bed.options.rows)
    }
  }

  /// Seconds that a row costs more by its address than by its key.
  private static func find(_ bed: Bed, _ report: inout Report) async throws {
    let (service, keys) = (try service(bed), bed.keys(5_000))
    let repository = try bed.store.repository(of: Pokemon.self)
    let requests = keys.map { key in
      WebRequest("GET", "/pokemon/\(key)", headers: ["Accept": "application/json", "Host": "localhost"])
    }
    var (own, served): ([Double], [Double]) = ([], [])
    for _ in 0...max(15, bed.options.rounds) {
      own.append(
        try await seconds {
          for key in keys { if try await repository.find(key) == nil { throw wrongAnswer } }
        } / Double(keys.count))
      served.append(
        try await seconds {
          for request in requests { if await service.respond(to: request).status != 200 { throw wrongAnswer } }
        } / Double(keys.count))
    }
    guard let more = Spread(zip(served, own).dropFirst().map(-)), let own = Spread(Array(own.dropFirst())) else {
      return
    }
    report.add("service-find the store's own find", own.median, format: Aggregates.time)
    report.add("service-find more for a find by its address", more.median, most: 15e-6, format: Aggregates.time)
  }

  /// How many times as long all rows take as lines of JSON.
  private static func rows(_ bed: Bed, _ report: inout Report) async throws {
    let service = try service(bed)
    let repository = try bed.store.repository(of: Pokemon.self)
    let count = bed.options.rows
    let request = WebRequest("GET", "/pokemon?limit=\(count)", headers: ["Accept": "application/x-ndjson"])
    var (own, served): ([Double], [Double]) = ([], [])
    for _ in 0...max(5, bed.options.rounds) {
      own.append(try await seconds { if try await repository.findAll().count != count { throw wrongAnswer } })
      served.append(
        try await seconds {
          let response = await service.respond(to: request)
          var bytes = 0
          for try await chunk in response.body { bytes += chunk.count }
          if response.headers["Repository-Row-Count"] != "\(count)" || bytes < count * 100 { throw wrongAnswer }
        })
    }
    guard let ratio = Spread(zip(served, own).dropFirst().map(/)), let own = Spread(Array(own.dropFirst())) else {
      return
    }
    report.add(
      "service-rows \(count) rows, the store's own fetch, a row", own.median / Double(count), format: Aggregates.time)
    report.add(
      "service-rows \(count) rows as lines / the store's own fetch", ratio.median, most: 2, format: Aggregates.ratio)
  }

  private static func seconds(_ work: () async throws -> Void) async throws -> Double {
    let start = Stopwatch.processors.seconds()
    try await work()
    return Stopwatch.processors.seconds() - start
  }

  private static var wrongAnswer: WrongAnswer {
    WrongAnswer(workload: "service", contenders: ["the service", "the store"])
  }
}
