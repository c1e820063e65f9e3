import Query
import Testing

@testable import PostgresStore

@Suite("The values that a server sends are decoded")
struct ColumnDecoderTests {
  private static func decoded(_ decoder: ColumnDecoder, _ bytes: [UInt8]) -> (value: Value?, fault: ValueError?) {
    bytes.withUnsafeBytes { bytes in
      do throws(ValueError) {
        return (try decoder.value(bytes), nil)
      } catch {
        return (nil, error)
      }
    }
  }

  @Test(
    "in binary format where they have the size of their type, and not where something has cut or extended them",
    arguments: [
      (.bool, 1), (.int2, 2), (.int4, 4), (.oid, 4), (.float4, 4), (.day, 4), (.int8, 8), (.float8, 8), (.timestamp, 8),
      (.uuid, 16),
    ] as [(ColumnDecoder, Int)])
  func sizes(_ decoder: ColumnDecoder, _ size: Int) {
    for count in 0...17 {
      let bytes = [UInt8](repeating: 0, count: count)
      let (value, fault) = Self.decoded(decoder, bytes)
      #expect((value != nil) == (count == size), "\(count) bytes")
      #expect(
        count == size
          || fault?.summary.contains("do not fit the type of the column") == true && fault?.suggestion != nil)
      // What reads without a value in between gives the same, or nothing.
      bytes.withUnsafeBytes { bytes in
        if count == size { return }
        #expect(decoder.integer(bytes) == nil && decoder.real(bytes) == nil && decoder.text(bytes) == nil)
      }
    }
  }

  @Test(
    "as texts where they are of their type",
    arguments: [
      (.integerText, "-7", .integer(-7)), (.integerText, "", nil), (.integerText, "7x", nil),
      (.integerText, "99999999999999999999", nil), (.boolText, "t", .integer(1)), (.boolText, "f", .integer(0)),
      (.realText, "1e308", .real(1e308)), (.realText, "x", nil), (.realText, "Infinity", .real(.infinity)),
      (.realText, "NaN", nil), (.singleText, "0.1", .real(Double(Float(0.1)))), (.numericText, "12", .integer(12)),
      (.numericText, "1.5", .real(1.5)), (.numericText, "12.00", .real(12)), (.numericText, "0.00", .real(0)),
      (.numericText, "NaN", nil), (.numericText, "Infinity", .real(.infinity)),
      (.numericText, "-Infinity", .real(-.infinity)), (.numericText, "1" + String(repeating: "0", count: 400), nil),
      (.numericText, "-1" + String(repeating: "0", count: 400) + ".5", nil),
      (.numericText, "0." + String(repeating: "0", count: 400) + "1", .real(0)),
      (.decimalText, "12", "002 12"), (.decimalText, "-12.50", "-997 87.4~ -12.5"), (.decimalText, "NaN", nil),
      (.decimalText, "12345678901234567890.123", "020 12345678901234567890.123"), (.decimalText, "Infinity", nil),
      (.decimalText, "1" + String(repeating: "0", count: 1_000), nil),
    ] as [(ColumnDecoder, String, Value?)])
  func texts(_ decoder: ColumnDecoder, _ text: String, _ value: Value?) {
    let (decoded, fault) = Self.decoded(decoder, Array(text.utf8))
    // An integer and an equal real are written differently.
    #expect(decoded?.description == value?.description)
    #expect((fault == nil) == (value != nil))
  }

  @Test("A number that is too large for a real is refused, whatever reads it", .requiresServer)
  func greatNumber() async throws {
    try await TestServer.withStore { store in
      let error = await #expect(throws: RepositoryError.self) {
        try await store.sql.query("SELECT CAST('1e400' AS numeric)", as: Double.self)
      }
      #expect(error.map { "\($0)" }?.contains("too large for a real") == true, "\(String(describing: error))")
      let infinity = try await store.sql.query("SELECT CAST('Infinity' AS numeric)", as: Double.self)
      #expect(infinity == [.infinity])
    }
  }
}
