import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys that are UUIDs.
enum LoanRules {
  static let all: [ConformanceRule<AnyRepository<Loan>>] = [
    ConformanceRule("an element is found, replaced and deleted by its UUID", among: loans) { context in
      await context.expect(find: id(0xAB), Loan(id: id(0xAB), until: nil))
      await context.expect(find: id(0xAC), nil)
      let changed = Loan(id: id(0xAB), until: Date(timeIntervalSinceReferenceDate: 800_000_000.5))
      await context.expectRoundTrip(of: changed)
      await context.expect("delete ab…, ac…", 1) { try await context.subject.delete([id(0xAB), id(0xAC)]) }
      await context.expect(.true, finds: id(0), id(0x10), id(0x9F), id(0xFF))
    },
    ConformanceRule("UUIDs are in the order of their texts", among: loans) { context in
      await context.expect(.true, finds: id(0), id(0x10), id(0x9F), id(0xAB), id(0xFF))
      await context.expect(sortedBy: .descending(key: "id"), id(0xFF), id(0xAB), id(0x9F), id(0x10), id(0))
      await context.expect(sortedBy: .descending(key: "until"), id(0), id(0x10), id(0x9F), id(0xAB), id(0xFF))
      await context.expect(.greaterThan(key: "id", value: id(0x9F)), finds: id(0xAB), id(0xFF))
      await context.expect(.in(key: "id", values: [id(0xFF), id(1)]), finds: id(0xFF))
    },
  ]

  private static let loans = [0xFF, 0, 0xAB, 0x10, 0x9F].map { Loan(id: id($0), until: nil) }

  private static func id(_ first: UInt8) -> UUID {
    UUID(uuid: (first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
}
