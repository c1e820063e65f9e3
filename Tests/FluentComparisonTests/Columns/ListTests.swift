import Foundation
import Repository
import Testing

@Suite("Lists and sets in a column")
struct ListTests {
  private enum Filter: String, Codable { case red, green, infrared }
  private struct Exposure: Codable, Equatable { var seconds: Int }

  private struct Plate: Entity, Equatable {
    let id: Int
    var counts: [Int]
    var names: [String]?
    var exposures: [Exposure]
    var filters: [Filter]
    var tags: Set<String>

    static let schema = Schema(
      "plate", Plate.init, Column("id", \.id), Column("counts", json: \.counts), Column("names", json: \.names),
      Column("exposures", json: \.exposures), Column("filters", json: \.filters), Column("tags", json: \.tags))
  }

  @Test("of numbers, texts, enums and types of one's own, also empty and nil", arguments: StoreKind.allCases)
  func lists(kind: StoreKind) async throws {
    let plates = try kind.open().repository(of: Plate.self)
    let all = [
      Plate(
        id: 1, counts: [1, 2, 3], names: ["a", "b"], exposures: [Exposure(seconds: 30), Exposure(seconds: 60)],
        filters: [.red, .infrared], tags: ["north", "clear"]),
      Plate(id: 2, counts: [], names: nil, exposures: [], filters: [], tags: []),
    ]
    try await plates.insert(all)
    #expect(try await plates.findAll() == all)
  }

  @Test("are changed whole", arguments: StoreKind.allCases)
  func changing(kind: StoreKind) async throws {
    let plates = try kind.open().repository(of: Plate.self)
    try await plates.insert(Plate(id: 1, counts: [], names: nil, exposures: [], filters: [.green], tags: []))
    var plate = try await plates.get(1)
    plate.filters.append(.red)
    plate.tags.insert("south")
    try await plates.save(plate)
    #expect(try await plates.get(1).filters == [.green, .red])
    #expect(try await plates.get(1).tags == ["south"])
  }
}

@Suite("Elements with many properties of all kinds")
struct WideElementTests {
  private struct Reading: Codable, Equatable {
    var channel: Int
    var gain: Double
  }

  private struct Measurement: Entity, Equatable {
    let id: UUID
    var count: Int
    var ratio: Double
    var label: String
    var taken: Date
    var share: Float
    var bins: [Int]
    var weights: [Double]
    var notes: [String]
    var attempts: Int?
    var error: Double?
    var source: URL
    var bytes: Data
    var isGood: Bool
    var reading: Reading

    static let schema = Schema(
      "measurement", Measurement.init, Column("id", \.id), Column("count", \.count), Column("ratio", \.ratio),
      Column("label", \.label), Column("taken", \.taken), Column("share", \.share), Column("bins", json: \.bins),
      Column("weights", json: \.weights), Column("notes", json: \.notes), Column("attempts", \.attempts),
      Column("error", \.error), Column("source", \.source), Column("bytes", \.bytes), Column("is_good", \.isGood),
      Column("reading", json: \.reading))
  }

  @Test("come back as they were", arguments: StoreKind.allCases)
  func wide(kind: StoreKind) async throws {
    let measurements = try kind.open().repository(of: Measurement.self)
    let source = try #require(URL(string: "https://example.org/spectrum?n=1"))
    let all = (0..<100).map { number in
      Measurement(
        id: UUID(), count: number, ratio: 3.14159, label: "line \(number)", taken: Date(timeIntervalSince1970: 1.5),
        share: 2.71828, bins: [1, 2, 3], weights: [0.5, 1e-300], notes: ["a", ""], attempts: nil, error: 0.1,
        source: source, bytes: Data([0, 255]), isGood: number % 2 == 0, reading: Reading(channel: 5, gain: 23))
    }
    try await measurements.insert(all)
    #expect(try await measurements.findAll(sortedBy: { $0.count.ascending }) == all)
  }
}
