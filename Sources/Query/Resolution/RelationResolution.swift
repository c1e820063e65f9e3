import ErrorDetails

// Paths, and rows that refer to a row.

extension ScopeResolver {
  mutating func resolvePath(_ steps: [String]) throws(QueryError) -> ResolvedExpression {
    var table = scope.table
    var source: Int?
    var path: [Name] = []
    for (index, step) in steps.dropLast().enumerated() {
      if let position = table.jsonColumn(named: step) {
        let text = Self.column(position, of: table, behind: source)
        let pointer = JSONPointer(Array(steps[(index + 1)...]))
        return ResolvedExpression(form: .converted(text, .json(pointer)), type: ExpressionType(.any))
      }
      let reference = try table.reference(named: step) {
        corrected(steps).map { "did you mean \($0)?" } ?? children(step, of: table, steps[steps.count - 1])
      }
      // Every column of a composite reference leads to the same row, and therefore to the same join.
      path.append(Name(table.step(of: reference) ?? step))
      if let known = joins[path] {
        source = known
        table = scope.joins[known].table
        continue
      }
      guard let target = try tables(reference.table) else { throw .missingRelated(reference.table, from: table) }
      // The maximum number of tables that SQLite joins: https://www.sqlite.org/limits.html#max_join
      if scope.joins.count == RowScope.maximumJoinCount {
        throw QueryError(
          .tooComplex, "the query follows more than \(RowScope.maximumJoinCount) paths", suggestion: "split the query")
      }
      let join = RowScope.Join(
        source: source, columns: table.positions(of: reference), table: target, key: try target.uniqueKey(of: reference)
      )
      source = scope.joins.count
      joins[path] = source
      scope.joins.append(join)
      table = target
    }
    let column = try table.position(of: steps[steps.count - 1])
    if source == nil { return try resolve(.key(steps[0])) }
    return Self.column(column, of: table, behind: source)
  }

  /// Returns a column of the row, or of the row that a join leads to.
  private static func column(_ column: Int, of table: TableSchema, behind join: Int?) -> ResolvedExpression {
    var type = ExpressionType(table.columns[column])
    guard let join else { return ResolvedExpression(form: .column(column), type: type) }
    type.isNullable = true
    return ResolvedExpression(form: .joined(join: join, column: column), type: type)
  }

  /// Returns the path that was probably intended; `nil` if a step resembles no reference, or the last one no column.
  private func corrected(_ steps: [String]) -> AnyExpression? {
    var table = scope.table
    var path: [String] = []
    for step in steps.dropLast() {
      guard let step = table.step(like: step), let target = try? tables(step.reference.table) else { return nil }
      path.append(step.name)
      table = target
    }
    let names = table.columns.map(\.name)
    guard let last = steps.last,
      let name = names.contains(named: last) ? last : NearestName.nearest(to: last, in: names)
    else { return nil }
    return AnyExpression(.path(path + [name]))
  }

  /// Returns the advice how to query referring rows, for a path that names their table as if it led there.
  private func children(_ name: String, of table: TableSchema, _ column: String) -> String? {
    guard let child = try? tables(name), (try? child.reference(to: table, by: [])) != nil else { return nil }
    return "rows of \(child.name) refer to this row: write any \(child.name) (\(column) …), or an aggregate"
  }

  func resolve(
    _ function: AnyAggregate.Function, _ aggregated: AnyExpression?, _ rows: RelatedRows
  ) throws(QueryError) -> ResolvedExpression {
    let related = try resolve(rows, aggregating: aggregated)
    guard let position = related.aggregated else {
      return ResolvedExpression(
        form: .aggregate(function, related), type: ExpressionType(.integer, isNullable: false))
    }
    let type = related.scope.type(position)
    switch function {
    case .count, .countDistinct:
      return ResolvedExpression(form: .aggregate(function, related), type: ExpressionType(.integer, isNullable: false))
    case .min, .max:
      return ResolvedExpression(
        form: .aggregate(function, related), type: ExpressionType(type.kind, format: type.format))
    case .sum, .average:
      if !type.mayBeNumber {
        throw QueryError(
          .kindMismatch, "\(related.scope.name(position)) stores \(type.plural) and has no \(function.rawValue)",
          suggestion: "count, min and max accept values of every kind")
      }
      let kind: ExpressionType.Kind =
        function == .average || type.kind == .real
        ? .real : type.kind == .integer || type.kind == .null ? .integer : .number
      return ResolvedExpression(form: .aggregate(function, related), type: ExpressionType(kind))
    }
  }

  func resolve(_ rows: RelatedRows, aggregating: AnyExpression?) throws(QueryError) -> RelatedScope {
    if level == AnyExpression.maximumPathLength {
      throw QueryError(.tooComplex, "the query nests relations deeper than \(AnyExpression.maximumPathLength) levels")
    }
    guard let table = try tables(rows.table) else { throw .missingRelated(rows.table, from: scope.table) }
    // A database with case-insensitive names also finds a table whose name is in another case.
    if Name(table.name) != rows.table {
      throw .missingRelated(rows.table, from: scope.table, suggestion: "did you mean \(table.name)?")
    }
    let reference = try table.reference(to: scope.table, by: rows.columns)
    var inner = ScopeResolver(table, tables, level: level + 1)
    let aggregated = try aggregating.map { expression throws(QueryError) in try inner.position(of: expression) }
    let predicate = try ResolvedQuery.normalized(rows.query, with: &inner).predicate
    return RelatedScope(
      inner.scope, columns: table.positions(of: reference), key: try scope.table.key(of: reference),
      predicate: predicate, aggregated: aggregated)
  }
}

extension TableSchema {
  /// Returns the references that a path may follow from a column: the reference of this column alone, or else all composite
  /// references that contain it. A path needs exactly one.
  package func references(through column: String) -> [ReferenceRule] {
    let all = references.filter { $0.columns.contains(named: column) }
    return all.first { $0.columns.count == 1 }.map { [$0] } ?? all
  }

  /// Returns the first column from which a path follows a given reference; `nil` if each of its columns belongs to other
  /// references, too.
  package func step(of reference: ReferenceRule) -> String? {
    reference.columns.first { references(through: $0) == [reference] }
  }

  /// Returns the position of a column whose texts may be JSON, so that a path may lead into them; `nil` for any other column, and
  /// for one that refers to rows.
  package func jsonColumn(named name: String) -> Int? {
    guard let position = columns.firstIndex(named: name), columns[position].mayHoldJSON,
      columns[position].format == nil, references(through: name).isEmpty
    else { return nil }
    return position
  }

  /// Returns the column of JSON to which a path leads, with its table and its step; `nil` if it leads to none.
  package func jsonPlace(
    of steps: [String], with tables: TableLookup
  ) -> (table: TableSchema, column: Int, step: Int)? {
    var table = self
    for (index, step) in steps.dropLast().enumerated() {
      if let column = table.jsonColumn(named: step) { return (table, column, index) }
      guard let reference = try? table.reference(named: step, { nil }), let target = try? tables(reference.table) else {
        return nil
      }
      table = target
    }
    return nil
  }

  /// Returns the reference that a path follows from a column.
  ///
  /// - Parameter correction: the name that was probably intended, as a suggestion.
  fileprivate func reference(named name: String, _ correction: () -> String?) throws(QueryError) -> ReferenceRule {
    let found = references(through: name)
    if found.count == 1 { return found[0] }
    if found.count > 1 {
      let others = found.compactMap { step(of: $0) }
      throw QueryError(
        .unknownRelation, "\(name) of \(self.name) belongs to \(found.count) references",
        reason: "a path needs a column that belongs to only one reference",
        suggestion: others.isEmpty ? nil : "other columns of these references: \(others.joined(separator: ", "))")
    }
    if let column = columns.first(named: name) {
      // The stores that read no JSON refuse such paths here, too.
      let isText = column.type == .text && column.format == nil
      throw .missingReference(
        of: name, in: self,
        reason: "a path follows columns with references"
          + (isText ? ", and JSON columns, in memory and in SQLite" : ""))
    }
    let names = references.compactMap { step(of: $0) }
    throw QueryError(
      .unknownRelation,
      "no column \(VisibleText.excerpt(of: Array(name.utf8)[...])) of \(self.name) refers to another table",
      suggestion: correction() ?? step(like: name).map { "did you mean \($0.name)?" }
        ?? (names.isEmpty
          ? "put a key that contains a dot in double quotes"
          : "columns with a reference: \(names.joined(separator: ", "))"),
      about: .missingReference(column: name, table: self.name))
  }

  /// Returns the column that a name probably means as a step of a path, and its reference. The name is compared with those of
  /// the referring columns, with these without `id` at the end, and with the tables to which only one reference leads.
  fileprivate func step(like name: String) -> (name: String, reference: ReferenceRule)? {
    let steps = columns.compactMap { column in
      let found = references(through: column.name)
      return found.count == 1 ? (name: column.name, reference: found[0]) : nil
    }
    let columns = steps.map(\.name)
    if let nearest = NearestName.nearest(to: name, in: columns), let index = columns.firstIndex(named: nearest) {
      return steps[index]
    }
    let short = columns.map { $0.lowercased().hasSuffix("id") ? String($0.dropLast(2)) : $0 }
    if let nearest = NearestName.nearest(to: name, in: short), let index = short.firstIndex(named: nearest) {
      return steps[index]
    }
    let leading = NearestName.nearest(to: name, in: steps.map(\.reference.table)).map { table in
      steps.filter { Name($0.reference.table) == table }
    }
    return Set(leading?.map(\.reference) ?? []).count == 1 ? leading?.first : nil
  }

  /// Returns the reference of this table's rows to the rows of another table.
  fileprivate func reference(to other: TableSchema, by columns: [String]) throws(QueryError) -> ReferenceRule {
    // A database with case-insensitive names may spell the table's name in another case in a reference.
    let fitting = references.filter { Name($0.table).equalsFolded(other.name) }
    let named = columns.isEmpty ? fitting : fitting.filter { $0.columns.map(Name.init) == columns.map(Name.init) }
    if named.count == 1 { return named[0] }
    let all = fitting.map { $0.columns.joined(separator: " and ") }
    if fitting.isEmpty {
      throw QueryError(
        .unknownRelation, "rows of \(name) don't refer to \(other.name)",
        suggestion: "declare a reference (foreign key) from \(name) to \(other.name)")
    }
    if named.isEmpty {
      throw QueryError(
        .unknownRelation, "rows of \(name) don't refer to \(other.name) by \(columns.joined(separator: " and "))",
        suggestion: "\(name) refers to \(other.name) by \(all.joined(separator: ", or by "))")
    }
    throw QueryError(
      .unknownRelation, "rows of \(name) refer to \(other.name) in \(named.count) ways",
      suggestion: "name the reference: by \(all.joined(separator: ", or by "))")
  }

  /// Returns the positions of the columns that a reference leads to, which have to be unique.
  fileprivate func uniqueKey(of reference: ReferenceRule) throws(QueryError) -> [Int] {
    let positions = try key(of: reference)
    let isUnique =
      Set(positions) == Set(primaryKey) || uniqueSets.contains { Set($0) == Set(positions) }
      || positions.count == 1 && columns[positions[0]].isUnique
    if isUnique { return positions }
    throw QueryError(
      .unknownRelation,
      "\(reference.key.joined(separator: " and ")) of \(name) "
        + (reference.key.count == 1 ? "is not unique" : "are not unique together"),
      reason: "a path must lead to at most one row")
  }

  /// Returns the positions of the columns that a reference leads to.
  fileprivate func key(of reference: ReferenceRule) throws(QueryError) -> [Int] {
    var positions: [Int] = []
    for name in reference.key {
      let folded = columns.firstIndex(foldedNamed: name)
      if let known = columns.firstIndex(named: name) ?? folded {
        positions.append(known)
      } else {
        positions.append(try position(of: name))
      }
    }
    return positions
  }
}

extension QueryError {
  fileprivate static func missingRelated(
    _ name: String, from table: TableSchema, suggestion: String = "relations refer to tables of the same store"
  ) -> QueryError {
    QueryError(
      .unknownRelation, "there is no table \(VisibleText.excerpt(of: Array(name.utf8)[...])) beside \(table.name)",
      suggestion: suggestion)
  }
}
