import Foundation
import Query
import TestSupport
import Testing

@Suite("Any query, sort or request travels; anything else is an error")
struct JSONCodingRandomTests {
  @Test("Any request is read back from every form of it", arguments: SplitMix64.seeds)
  func roundTrips(seed: UInt64) throws {
    var random = QueryTextRandom(seed: seed)
    var sampler = QuerySampler(seed: seed)
    for _ in 0..<Effort.rounds(150) {
      try checkRoundTrip(of: FetchRequest(random.query(), sortedBy: random.sort(), limit: random.below(9)))
      try checkRoundTrip(of: FetchRequest(sampler.query(depth: 6), offset: random.below(9)))
    }
  }

  private func checkRoundTrip(of request: FetchRequest) throws {
    let readings = [
      try FetchRequest(json: request.json), try FetchRequest(json: Data(request.json.utf8)),
      try FetchRequest(dictionary: request.dictionary),
      try JSONDecoder().decode(FetchRequest.self, from: JSONEncoder().encode(request)),
      try FetchRequest(json: JSONEncoder().encode(request)),
      try JSONDecoder().decode(FetchRequest.self, from: Data(request.json.utf8)),
      try FetchRequest(queryItems: request.queryItems),
      try FetchRequest(queryItems: URLItemTests.items(of: URLItemTests.url(of: request))),
    ]
    for read in readings {
      #expect(read == request)
      // `==` takes 1 and 1.0 for the same; their texts differ.
      #expect(read.query.description.utf8.elementsEqual(request.query.description.utf8))
      #expect(read.sort.description.utf8.elementsEqual(request.sort.description.utf8))
    }
  }

  @Test(
    "A form that was changed by chance is read, and means the same to a decoder, or is an error",
    arguments: SplitMix64.seeds)
  func mutations(seed: UInt64) throws {
    var random = QueryTextRandom(seed: seed)
    var refused = 0
    for _ in 0..<Effort.rounds(2_000) {
      let request = FetchRequest(random.query(depth: 2), sortedBy: random.sort())
      let mutation = random.formMutation(of: try request.json)
      let direct: FetchRequest?
      do {
        let read = try FetchRequest(json: mutation)
        #expect(try FetchRequest(json: read.json) == read)
        direct = read
      } catch {
        check(error, mutation)
        direct = nil
        refused += 1
      }
      let decoded = try? JSONDecoder().decode(FetchRequest.self, from: Data(mutation.utf8))
      // Foundation takes one of two fields of a name, and reads some texts that are no JSON.
      if let direct, let decoded { #expect(direct == decoded, "\(mutation)") }
      if let direct { #expect(decoded != nil, "\(mutation) is \(direct)") }
    }
    #expect(refused > Effort.rounds(1_000) / 10)
  }

  @Test("Any bytes are a form or an error", arguments: SplitMix64.seeds)
  func garbage(seed: UInt64) throws {
    var random = QueryTextRandom(seed: seed)
    for _ in 0..<Effort.rounds(1_000) {
      var bytes = Array(try FetchRequest(random.query(depth: 1)).json.utf8)
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      do {
        _ = try FetchRequest(json: Data(bytes))
      } catch {
        check(error, String(decoding: bytes, as: UTF8.self))
      }
      _ = try? FetchRequest(json: random.garbage())
      _ = try? JSONDecoder().decode(FetchRequest.self, from: Data(bytes))
    }
  }

  private func check(_ error: any Error, _ text: String) {
    guard let error = error as? JSONCodingError else {
      Issue.record("\(text): \(error) is no JSONCodingError")
      return
    }
    #expect(error.path.utf8.first ?? UInt8(ascii: "/") == UInt8(ascii: "/"), "\(text)")
    #expect(error.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(text)")
    #expect(error.description.utf8.count < 1_000, "\(text)")
  }
}

extension QueryTextRandom {
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "1", "-0", "5.0", "1e400", "9223372036854775808", "\"a\"",
    "{\"real\":5}", "{\"real\":\"infinity\"}", "{\"blob\":\"AQI=\"}", "{\"key\":\"a\"}", "\"op\":\"=\"",
    "\"query\":true",
    "\"version\":2", "\"\\ud800\"", "[]", "{}", "\u{301}", "\0", " ", "\"and\":[", "{\"not\":",
  ]

  /// A form of which pieces were removed, added, doubled or replaced.
  fileprivate mutating func formMutation(of json: String) -> String {
    var scalars = Array(json.unicodeScalars)
    for _ in 0...below(2) {
      let start = below(scalars.count + 1)
      let end = min(scalars.count, start + below(12))
      let piece = Array(pick(Self.pieces).unicodeScalars)
      switch below(5) {
      case 0: scalars.removeSubrange(start..<end)
      case 1: scalars.insert(contentsOf: scalars[start..<end], at: below(scalars.count + 1))
      case 2: scalars.replaceSubrange(start..<end, with: piece)
      case 3: scalars.insert(contentsOf: piece, at: start)
      default:
        if !scalars.isEmpty { scalars[min(start, scalars.count - 1)] = pick(Array("{}[],:\"01e.-aox".unicodeScalars)) }
      }
    }
    var mutation = ""
    mutation.unicodeScalars += scalars
    return mutation
  }
}
