public import Query
public import Repository

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A model whose key is a UUID.
public struct Loan: ConformanceModel, Hashable, Codable {
  /// The key, kept as a text in lower case.
  public let id: UUID
  /// An optional date.
  public var until: Date?

  /// Makes a loan.
  public init(id: UUID, until: Date?) {
    self.id = id
    self.until = until
  }

  /// The table `loan`.
  public static let schema = Schema("loan", Loan.init, Column("id", \.id), Column("until", \.until, .indexed))

  /// What every repository has to keep whose key is a UUID.
  public static var rules: [ConformanceRule<AnyRepository<Loan>>] { LoanRules.all }

  /// The names of the properties in which two loans differ.
  public func differences(from other: Loan) -> [String] {
    [id == other.id ? nil : "id", until == other.until ? nil : "until"].compactMap(\.self)
  }
}
