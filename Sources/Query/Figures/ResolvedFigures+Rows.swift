extension ResolvedFigures {
  /// Puts what was found into its order and its form.
  ///
  /// - Parameter found: for each group its keys and then its figures, a ``FigureFault`` in the place of one that is no
  ///   value; in any order.
  /// - Throws: ``FigureError`` where a figure is no value, in whichever group it is.
  package func rows(from found: [[Value]]) throws(FigureError) -> [FigureRow] {
    for (position, figure) in figures.enumerated() where figure.function == .sum || figure.function == .average {
      let faults = found.compactMap { row in
        if case .text(let text) = row[groups.count + position] { FigureFault(rawValue: text) } else { nil }
      }
      // Whichever group the store looked at first.
      if let fault = faults.contains(.overflow) ? .overflow : faults.first { throw FigureError(fault, figure.asked) }
    }
    let rows = found.map { row in
      FigureRow(
        keys: zip(groups, row).map { columns[$0].spelling($1) },
        figures: zip(figures, row.dropFirst(groups.count)).map { figure, value in
          guard let column = figure.column, figure.function == .min || figure.function == .max else { return value }
          return columns[column].spelling(value)
        })
    }
    return Array(rows.sorted(by: areInIncreasingOrder).prefix(limit ?? .max))
  }

  private func areInIncreasingOrder(_ lhs: FigureRow, _ rhs: FigureRow) -> Bool {
    var order = 0
    switch self.order {
    case .group: break
    case .ascending(let figure): order = compare(figure, lhs, rhs)
    case .descending(let figure): order = compare(figure, rhs, lhs)
    }
    if order != 0 { return order < 0 }
    for (lhs, rhs) in zip(lhs.keys, rhs.keys) {
      let order = Value.compare(lhs, rhs)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func compare(_ figure: AnyFigure, _ lhs: FigureRow, _ rhs: FigureRow) -> Int {
    guard let position = figures.firstIndex(where: { $0.asked == figure }) else { return 0 }
    return Value.compare(lhs.figures[position], rhs.figures[position])
  }
}

extension ColumnSchema {
  /// The one way to write a value among those that equal it: as the column keeps it, and zero without a sign.
  package func spelling(_ value: Value) -> Value {
    let stored = (try? stored(value)) ?? value
    if case .real(let real) = stored, real == 0 { return .real(0) }
    return stored
  }
}
