extension Cursor {
  /// Makes the cursor of a row.
  ///
  /// - Parameters:
  ///   - row: the row's values, in the order of the table's columns.
  ///   - table: the table.
  ///   - sort: the sort of the result that contains the row.
  /// - Throws: ``QueryError`` if the sort names an unknown key, or depends on rows of other tables.
  public init(at row: [Value], in table: TableSchema, sortedBy sort: AnySort) throws(QueryError) {
    var resolver = ScopeResolver(table) { _ in nil }
    let resolved: ResolvedSort
    do throws(QueryError) {
      resolved = try ResolvedSort(sort, with: &resolver)
    } catch {
      // No other table is found here, while a path into JSON stays in the row.
      guard error.code == .unknownRelation, sort.terms.contains(where: \.key.needsOtherTables) else { throw error }
      throw QueryError(
        .unsupported, "cursors don't support the order of \(sort)",
        reason: "the order depends on rows of other tables", suggestion: "use pages with an offset")
    }
    let row = resolver.scope.makeExtension(nil)(row)
    self.init(fingerprint: resolved.fingerprint(in: resolver.scope), values: resolved.terms.map { row[$0.column] })
  }

  /// Returns the cursor at the same place in another table with the same columns, which has another name, or declares other
  /// columns unique: a cursor with more terms than the sort needs there is shortened.
  ///
  /// - Returns: the same cursor if it does not belong to the sort and to `source`, or has too few terms.
  func moved(from source: TableSchema, to target: TableSchema, sortedBy sort: AnySort) -> Cursor {
    var (sent, stored) = (ScopeResolver(source) { _ in nil }, ScopeResolver(target) { _ in nil })
    guard let all = try? ResolvedSort(sort, with: &sent, endsAtUniqueColumn: false),
      let needed = try? ResolvedSort(sort, with: &stored),
      needed.terms.count <= values.count, values.count <= all.terms.count,
      ResolvedSort(terms: Array(all.terms.prefix(values.count))).fingerprint(in: sent.scope) == fingerprint
    else { return self }
    return Cursor(
      fingerprint: needed.fingerprint(in: stored.scope), values: Array(values.prefix(needed.terms.count)))
  }

  /// Returns the same cursor with its values replaced by their positions; nulls remain, since a null makes a different
  /// condition.
  func numbered(from first: Int) -> Cursor {
    Cursor(
      fingerprint: fingerprint,
      values: values.enumerated().map { $1.isNull ? .null : .integer(Int64(first + $0)) })
  }
}

extension ResolvedSort {
  /// Returns a hash that differs for sorts that order rows differently, and for other tables. The columns' types are not
  /// part of it: a value of the wrong kind is refused as in every query.
  ///
  /// The hash is part of the texts of cursors, which clients store, and must not change.
  func fingerprint(in scope: RowScope) -> UInt64 {
    var hash = FNVHash()
    func add(_ text: String) {
      hash.add(text)
      // 0xFF ends each text, since UTF-8 never contains this byte.
      hash.add(0xFF)
    }
    add(scope.table.name)
    for term in terms {
      add(scope.name(term.column))
      hash.add(UInt8(ascii: term.direction == .ascending ? "a" : "d"))
      hash.add(UInt8(ascii: term.nulls == .first ? "f" : "l"))
      hash.add(0xFF)
    }
    return hash.value
  }
}
