/// Everything that a question for figures says: of which rows, which figures, and in which groups.
///
/// ```swift
/// FigureRequest([.count, .average(key: "weight")], of: .isNotNull(key: "habitat"), groupedBy: ["type"])
/// ```
///
/// The most common values of a key are one too: `FigureRequest([.count], groupedBy: ["habitat"], sortedBy:
/// .descending(.count), limit: 3)`.
public struct FigureRequest: Hashable, Sendable {
  /// The figures, in the order of the result.
  public var figures: [AnyFigure]
  /// Of which rows; of all by default.
  public var query: AnyQuery
  /// The keys by whose values rows are grouped. Without one, all rows are one group, also where there is no row.
  public var groupKeys: [String]
  /// In which order to give the groups.
  public var order: FigureOrder
  /// At most how many groups; all by default.
  public var limit: Int?

  /// Makes a request.
  public init(
    _ figures: [AnyFigure], of query: AnyQuery = .true, groupedBy groupKeys: [String] = [],
    sortedBy order: FigureOrder = .group, limit: Int? = nil
  ) {
    self.figures = figures
    self.query = query
    self.groupKeys = groupKeys
    self.order = order
    self.limit = limit
  }

  /// How many figures and keys a request may have together: a limit of the contract, far below the 2,000 columns of
  /// SQLite's results, so that every store refuses the same requests.
  public static let maximumColumnCount = 500
}

extension FigureRequest {
  /// Compares the keys by their bytes, as tables do when they look for a column.
  public static func == (lhs: FigureRequest, rhs: FigureRequest) -> Bool {
    lhs.figures == rhs.figures && lhs.query == rhs.query && lhs.order == rhs.order && lhs.limit == rhs.limit
      && lhs.groupKeys.map(Value.text) == rhs.groupKeys.map(Value.text)
  }
}
