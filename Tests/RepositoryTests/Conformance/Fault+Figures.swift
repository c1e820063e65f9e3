import Query
import Repository
import RepositoryTesting

extension Fault {
  /// Figures that are worked out as databases and simple loops do it.
  static let figures: [Fault] = [
    fault(
      "adds reals one after another",
      breaking: [
        "a sum of reals is exact and then rounded, in any order",
        "a sum of reals may be greater on the way than it is",
      ]
    ) { request, base throws(RepositoryError) in
      try base.figures(request).changing(request, .sum) { key, sum throws(RepositoryError) in
        guard key == "mass", request.groupKeys.isEmpty else { return sum }
        return .real(try base.findAll(FetchRequest(request.query)).reduce(0) { $0 + $1.mass })
      }
    },
    fault(
      "gives null for the sum of nothing, as SQL does",
      breaking: ["of nothing, counts and sums are 0, and the other figures are null"]
    ) { request, base throws(RepositoryError) in
      try base.figures(request).changing(request, .sum) { key, sum throws(RepositoryError) in
        try base.count(request.query && .isNotNull(key: key)) == 0 ? .null : sum
      }
    },
    fault(
      "counts nulls",
      breaking: [
        "figures leave nulls out, and `count` of the rows does not",
        "the least and the greatest blobs are those by bytes",
      ]
    ) { request, base throws(RepositoryError) in
      try base.figures(request).changing(request, .count) { _, _ throws(RepositoryError) in
        .integer(Int64(try base.count(request.query)))
      }
    },
    fault("lets a sum wrap around", breaking: ["a sum of integers overflows only where the total does"]) {
      request, base throws(RepositoryError) in
      do throws(RepositoryError) {
        return try base.figures(request)
      } catch {
        if error.code == .overflow { return [FigureRow(keys: [], figures: [-2])] }
        throw error
      }
    },
    fault(
      "ignores the order of groups",
      breaking: ["groups are sorted by a figure as told, and then by their keys"]
    ) { request, base throws(RepositoryError) in
      if !request.figures.contains(where: { request.order == .descending($0) || request.order == .ascending($0) }) {
        return try base.figures(request)
      }
      var request = request
      request.order = .group
      return try base.figures(request)
    },
  ]

  private static func fault(
    _ description: String, breaking rules: [String],
    _ answer: @escaping @Sendable (FigureRequest, MemoryRepository<Specimen>) throws(RepositoryError) -> [FigureRow]
  ) -> Fault {
    Fault(description, breaking: rules) { try FaultyRepository { $0.onFigures = answer } }
  }
}

extension [FigureRow] {
  /// The rows with another value for each figure of one function that is worked out of a key.
  fileprivate func changing(
    _ request: FigureRequest, _ function: AnyFigure.Function,
    _ change: (_ key: String, _ figure: Value) throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> [FigureRow] {
    var rows: [FigureRow] = []
    for row in self {
      var figures = row.figures
      for (index, figure) in request.figures.enumerated() where figure.function == function {
        if let key = figure.key { figures[index] = try change(key, figures[index]) }
      }
      rows.append(FigureRow(keys: row.keys, figures: figures))
    }
    return rows
  }
}
