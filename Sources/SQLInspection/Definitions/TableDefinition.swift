package import Query
package import Repository
package import SQLStore

/// The full definition of a table or a view: more than queries need to know.
package struct TableDefinition: Hashable, Sendable {
  /// The properties of a column that its ``ColumnSchema`` does not have.
  package struct Column: Hashable, Sendable {
    /// The column as queries know it.
    package let schema: ColumnSchema
    /// The declared type; empty where there is none.
    package let declaredType: String
    /// The default value, as SQL.
    package let defaultExpression: String?
    /// The collation by which its texts are compared in SQL, unless that is by bytes, or unknown as in a view.
    package let collation: String?
    /// The expression that computes the column, as SQL; `nil` for one that is written.
    package let generatedBy: String?
    /// Whether the computed values are stored in the rows.
    package let isStored: Bool
    /// The properties of the type in a server's catalog; `nil` where types are only words.
    package let serverType: ServerType?

    package init(
      schema: ColumnSchema, declaredType: String, defaultExpression: String?, collation: String?, generatedBy: String?,
      isStored: Bool, serverType: ServerType? = nil
    ) {
      (self.schema, self.declaredType, self.defaultExpression) = (schema, declaredType, defaultExpression)
      (self.collation, self.generatedBy, self.isStored) = (collation, generatedBy, isStored)
      self.serverType = serverType
    }
  }

  /// The type of a column in a server's catalog.
  package struct ServerType: Hashable, Sendable {
    /// The type below all domains, with its length: `character varying(50)`.
    package let base: String
    /// The labels of an enumeration, in their order; empty for other types.
    package let labels: [String]
    /// The checks of the domains, as SQL in which `VALUE` stands for the value.
    package let checks: [String]

    package init(base: String, labels: [String], checks: [String]) {
      (self.base, self.labels, self.checks) = (base, labels, checks)
    }
  }

  /// The language in which a database writes definitions.
  package enum Language: Hashable, Sendable {
    case sqlite, postgres
  }

  /// A foreign key, including what ``ReferenceRule`` can't express.
  package struct Reference: Hashable, Sendable {
    /// The names of the referring columns.
    package let columns: [String]
    /// The name of the table they refer to.
    package let table: String
    /// The names of the columns that they refer to; empty for the primary key.
    package let key: [String]
    /// The action when the referenced row is deleted, in SQL's words: `CASCADE`.
    package let onDelete: String
    /// The action when its key changes.
    package let onUpdate: String
    /// When the reference is checked.
    package let deferral: Deferral
    /// Whether a row of which only some of the columns are null violates the reference.
    package let isFullMatch: Bool
    /// The reason why it leads nowhere, where it does.
    package let problem: String?

    package init(
      columns: [String], table: String, key: [String], onDelete: String, onUpdate: String,
      deferral: Deferral = .notDeferrable, isFullMatch: Bool = false, problem: String? = nil
    ) {
      (self.columns, self.table, self.key) = (columns, table, key)
      (self.onDelete, self.onUpdate, self.problem) = (onDelete, onUpdate, problem)
      (self.deferral, self.isFullMatch) = (deferral, isFullMatch)
    }

    /// The rest of the declaration, as SQL: the actions that are not the default, and when the reference is checked.
    package var rules: String {
      (onDelete == "NO ACTION" ? "" : " ON DELETE \(onDelete)")
        + (onUpdate == "NO ACTION" ? "" : " ON UPDATE \(onUpdate)") + deferral.sql
    }
  }

  /// When a constraint is checked.
  package enum Deferral: Hashable, Sendable {
    case notDeferrable
    /// At the end of each statement, unless a transaction asks for its end.
    case immediate
    /// At the end of the transaction.
    case deferred

    package var sql: String {
      switch self {
      case .notDeferrable: ""
      case .immediate: " DEFERRABLE"
      case .deferred: " DEFERRABLE INITIALLY DEFERRED"
      }
    }
  }

  /// The language of its SQL.
  package let language: Language

  /// The table as queries know it.
  package let schema: TableSchema
  /// The kind of the object.
  package let kind: TableOverview.Kind
  /// Whether every value is of its column's type.
  package let isStrict: Bool
  /// Whether the rows are kept in the order of their key, without a number of their own.
  package let isWithoutRowid: Bool
  /// The columns, in order.
  package let columns: [Column]
  /// The indexes, in alphabetical order.
  package let indexes: [IndexDescription]
  /// The foreign keys, in the order in which they were declared.
  package let references: [Reference]
  /// The checks, as SQL.
  package let checks: [String]
  /// The names of the triggers, in alphabetical order.
  package let triggers: [String]
  /// The statements that created it: the table, then its indexes and triggers. Empty where the database does not keep them.
  package let statements: [String]
  /// The statements in a form that is the same for all ways to lay them out.
  package let normalForms: [String]

  package init(
    _ language: Language, schema: TableSchema, kind: TableOverview.Kind, isStrict: Bool = true,
    isWithoutRowid: Bool = false,
    columns: [Column], indexes: [IndexDescription], references: [Reference], checks: [String], triggers: [String],
    statements: [String] = [], normalForms: [String] = []
  ) {
    self.language = language
    (self.schema, self.kind, self.isStrict, self.isWithoutRowid) = (schema, kind, isStrict, isWithoutRowid)
    (self.columns, self.indexes, self.references) = (columns, indexes, references)
    (self.checks, self.triggers, self.statements) = (checks, triggers, statements)
    self.normalForms = normalForms
  }
}

extension SQLDatabase {
  /// Returns the full definition of a table or a view.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is none with this name;
  ///   the error suggests the nearest one.
  package func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = try connection.inspection
      guard let definition = try catalog.definitionReader()(name) else {
        throw .missingTable(name, among: try catalog.tableNames())
      }
      return definition
    }
  }

  /// Describes all tables and views, in alphabetical order; the time depends only on their number.
  ///
  /// - Returns: for each the description, or the reason why there is none: a view may name a table that was dropped.
  package func definitions() throws(RepositoryError) -> [(
    table: String, result: Result<TableDefinition, RepositoryError>
  )] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        let catalog = try connection.inspection
        let read = try catalog.definitionReader()
        var definitions: [(table: String, result: Result<TableDefinition, RepositoryError>)] = []
        for name in try catalog.tableNames() {
          do throws(RepositoryError) {
            guard let definition = try read(name) else { continue }
            definitions.append((name, .success(definition)))
          } catch {
            if error.code == .cancelled { throw error }
            definitions.append((name, .failure(error)))
          }
        }
        return definitions
      }
    }
  }
}
