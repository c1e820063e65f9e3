package import Query
package import Repository

/// Writes to tables whose references are checked at the end of the write, or of the transaction around it.
package enum DeferredReferences {
  package indirect enum Write: Sendable {
    case insert(String, [[Value]])
    case save(String, [[Value]])
    case ignore(String, [[Value]])
    /// A sequence, which is written row by row.
    case stream(String, [[Value]])
    /// An update of the rows of a query, both as texts.
    case update(String, where: String, set: String)
    case delete(String, where: String)
    case deleteKeys(String, [Value])
    case transaction([Write])
    /// A transaction that throws at its end, within another one, which goes on.
    case failing([Write])
  }

  package static func schemas() throws -> [TableSchema] {
    [
      try TableSchema("box", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"]),
      try TableSchema(
        "node",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("parent", .integer, isNullable: true, isIndexed: true),
          ColumnSchema("box", .integer, isNullable: true),
        ], primaryKey: ["id"],
        references: [
          ReferenceRule(["parent"], to: "node", key: ["id"], isDeferred: true),
          ReferenceRule(["box"], to: "box", key: ["id"]),
        ]),
      try TableSchema(
        "leaf", columns: [ColumnSchema("id", .integer), ColumnSchema("node", .integer, isIndexed: true)],
        primaryKey: ["id"],
        references: [ReferenceRule(["node"], to: "node", key: ["id"], onDelete: .cascade, isDeferred: true)]),
    ]
  }

  fileprivate static let rows: [[[Value]]] = [[[1]], [[1, .null, 1], [2, 1, .null]], [[1, 2]]]

  /// Writes outside any transaction, each checked at its own end, and the numbers of rows of box, node and leaf afterwards, or
  /// what the error names.
  package static let writes: [(write: Write, counts: [Int], names: String)] = [
    (.insert("node", [[3, 4, .null], [4, .null, .null]]), [1, 4, 1], ""),
    (.insert("node", [[3, 3, .null]]), [1, 3, 1], ""), (.save("node", [[3, 4, 1], [4, 3, 1]]), [1, 4, 1], ""),
    (.save("node", [[1, 3, 1], [3, .null, .null]]), [1, 3, 1], ""),
    (.stream("node", [[3, 4, .null], [4, .null, .null]]), [1, 4, 1], ""),
    (.ignore("node", [[3, 4, .null], [2, 9, .null], [4, .null, .null]]), [1, 4, 1], ""),
    (.deleteKeys("node", [1, 2]), [1, 0, 0], ""), (.delete("node", where: "true"), [1, 0, 0], ""),
    (.insert("node", [[3, 9, .null]]), [], "parent of node"),
    (.insert("node", [[3, 4, .null], [4, 5, .null]]), [], "parent of node"),
    (.stream("node", [[3, 4, .null], [4, 5, .null]]), [], "parent of node"),
    (.ignore("node", [[3, 4, .null]]), [], "parent of node"), (.save("node", [[1, 9, 1]]), [], "parent of node"),
    (.update("node", where: "id = 2", set: "parent = 9"), [], "parent of node"),
    (.delete("node", where: "id = 1"), [], "parent of node"), (.deleteKeys("node", [1]), [], "parent of node"),
    (.insert("leaf", [[2, 9]]), [], "node of leaf"),
    (.update("leaf", where: "true", set: "node = 9"), [], "node of leaf"),
    // A reference that is not deferred is checked row by row.
    (.insert("node", [[3, 9, 9]]), [], "box (number) of node"),
    (.insert("node", [[3, 9, .null], [4, .null, 9]]), [], "box (number) of node"),
  ]

  /// Transactions, also within others, which are checked at the end of the outermost one.
  package static let transactions: [(write: Write, counts: [Int], names: String)] = [
    (.transaction([.insert("node", [[3, .null, 9]]), .insert("box", [[9]])]), [], "box (number) of node"),
    (.transaction([.insert("leaf", [[2, 3]]), .insert("node", [[3, .null, .null]])]), [1, 3, 2], ""),
    (.transaction([.delete("node", where: "id = 1"), .insert("node", [[1, .null, .null]])]), [1, 2, 1], ""),
    (.transaction([.delete("node", where: "id = 1"), .delete("node", where: "id = 2")]), [1, 0, 0], ""),
    (.transaction([.insert("leaf", [[2, 9]]), .update("leaf", where: "id = 2", set: "node = 1")]), [1, 2, 2], ""),
    (.transaction([.insert("leaf", [[2, 9]]), .delete("leaf", where: "id = 2")]), [1, 2, 1], ""),
    (.transaction([.insert("box", [[2]]), .insert("leaf", [[2, 9]])]), [], "node of leaf"),
    (.transaction([.insert("box", [[2]]), .delete("node", where: "id = 1")]), [], "parent of node"),
    (.transaction([.update("node", where: "id = 2", set: "parent = 9"), .insert("box", [[2]])]), [], "parent of node"),
    (.transaction([.insert("node", [[3, 4, .null]]), .stream("node", [[4, 5, .null]])]), [], "parent of node"),
    // A transaction within another one is not checked at its end, and leaves nothing to check if it is undone.
    (
      .transaction([.transaction([.insert("leaf", [[2, 3]])]), .insert("node", [[3, .null, .null]])]), [1, 3, 2], ""
    ),
    (
      .transaction([.insert("leaf", [[2, 3]]), .transaction([.insert("node", [[3, .null, .null]])])]), [1, 3, 2], ""
    ),
    (.transaction([.failing([.insert("leaf", [[2, 9]])]), .insert("box", [[2]])]), [2, 2, 1], ""),
    (.transaction([.failing([.delete("node", where: "id = 1")]), .insert("box", [[2]])]), [2, 2, 1], ""),
    (.transaction([.transaction([.insert("leaf", [[2, 9]])]), .insert("box", [[2]])]), [], "node of leaf"),
    (
      .transaction([.insert("leaf", [[2, 3]]), .failing([.insert("node", [[3, .null, .null]])])]), [], "node of leaf"
    ),
  ]
}

private struct Undone: Error {}

extension Store {
  /// What is wrong with the deferred references of this store.
  ///
  /// - Parameter cases: the writes.
  package func faultsOfDeferredReferences(
    _ cases: [(write: DeferredReferences.Write, counts: [Int], names: String)]
  ) async throws -> [String] {
    var faults: [String] = []
    let schemas = try DeferredReferences.schemas()
    var tables: [String: AnyRepository<Record>] = [:]
    for schema in schemas { tables[schema.name] = try repository(Schema(schema)) }
    // The tables are there now, and are found to be as they are declared.
    for schema in schemas { _ = try repository(Schema<Record>(schema)) }
    func content() async throws -> [[[Value]]] {
      var content: [[[Value]]] = []
      for schema in schemas {
        content.append(try await tables[schema.name]?.findAll(FetchRequest()).map(\.values) ?? [])
      }
      return content
    }
    for (write, counts, names) in cases {
      for schema in schemas.reversed() { try await tables[schema.name]?.delete(where: .true) }
      for (schema, rows) in zip(schemas, DeferredReferences.rows) {
        try await tables[schema.name]?.insert(rows.map { Record(values: $0, in: schema) })
      }
      do {
        try await make(write, in: tables)
        let found = try await content().map(\.count)
        if found != counts || !names.isEmpty { faults.append("\(write) leaves \(found)") }
      } catch let error as RepositoryError {
        if error.code != .foreignKeyViolation || names.isEmpty || !error.summary.hasPrefix(names) {
          faults.append("\(write): \(error.code) \(error.summary), not \(names)")
        }
        if try await content() != DeferredReferences.rows { faults.append("\(write) leaves rows") }
      }
    }
    return faults
  }

  private func make(_ write: DeferredReferences.Write, in tables: [String: AnyRepository<Record>]) async throws {
    func table(_ name: String) throws -> (AnyRepository<Record>, TableSchema) {
      guard let table = tables[name], let schema = try DeferredReferences.schemas().first(named: name) else {
        throw RepositoryError.missingTable(name, among: [])
      }
      return (table, schema)
    }
    func records(_ rows: [[Value]], _ schema: TableSchema) -> [Record] { rows.map { Record(values: $0, in: schema) } }
    switch write {
    case .insert(let name, let rows):
      let (table, schema) = try table(name)
      try await table.insert(records(rows, schema))
    case .save(let name, let rows):
      let (table, schema) = try table(name)
      try await table.save(records(rows, schema))
    case .ignore(let name, let rows):
      let (table, schema) = try table(name)
      try await table.insert(records(rows, schema), onConflict: .ignore)
    case .stream(let name, let rows):
      let (table, schema) = try table(name)
      try await table.insert(contentsOf: records(rows, schema).lazy.map(\.self))
    case .update(let name, let query, let set):
      let update = try Assignment.list(parsing: set)
      try await table(name).0.update(where: try AnyQuery(parsing: query), set: update)
    case .delete(let name, let query): try await table(name).0.delete(where: try AnyQuery(parsing: query))
    case .deleteKeys(let name, let keys): try await table(name).0.delete(keys.map { RecordKey(values: [$0]) })
    case .transaction(let writes):
      try await transaction { store in
        for write in writes { try await store.make(write, in: tables) }
      }
    case .failing(let writes):
      do {
        try await transaction { store in
          for write in writes { try await store.make(write, in: tables) }
          throw Undone()
        }
      } catch is Undone {}
    }
  }
}
