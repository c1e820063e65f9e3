package import Query

/// A change of a table's rows that somebody asks for by hand: it can be looked at before it is kept.
package enum RowChange: Hashable, Sendable {
  /// Sets columns of the rows that a query means, those of the primary key too.
  case set(AnyQuery, [Assignment])
  /// Adds a row, whose other columns have their defaults.
  case insert([Assignment])
  /// Deletes the rows that a query means.
  case delete(AnyQuery)
}

/// How much is found out about a change while it is made.
package enum ChangeDetail: Hashable, Sendable {
  /// How many rows there were.
  case counts
  /// Also which rows were meant, so that two changes can be told apart, how many rows the table has, and the first rows.
  case identity
  /// Also all of the rows.
  case rows
}
