import Query
import Repository

/// A mistake that a store in memory could make, which the detector has to find.
struct WriteMutation: Sendable, CustomStringConvertible {
  let description: String
  var table: @Sendable (TableSchema) -> TableSchema = { $0 }
  var step: @Sendable (WriteStep) -> WriteStep = { $0 }

  static let all: [WriteMutation] = [
    WriteMutation(description: "checks are not looked at", table: { $0.with(checks: []) }),
    WriteMutation(
      description: "checks are looked at from the last one", table: { $0.with(checks: $0.checks.reversed()) }),
    WriteMutation(description: "columns are not unique together", table: { $0.with(unique: []) }),
    WriteMutation(
      description: "sets of unique columns are looked at from the first one",
      table: { table in
        table.with(unique: table.uniqueSets.reversed().map { set in set.map { table.columns[$0].name } })
      }),
    WriteMutation(description: "references are not looked at", table: { $0.with(references: []) }),
    WriteMutation(
      description: "references are looked at from the last one",
      table: { $0.with(references: $0.references.reversed()) }
    ),
    .rule("rows that refer to a deleted one stay and refer to nothing", .cascade, .setNull),
    .rule("rows that refer to a deleted one are deleted against the rule", .restrict, .cascade),
    .rule("rows keep others from being deleted against the rule", .setNull, .restrict),
    WriteMutation(
      description: "an element that exists is replaced by an insert",
      step: { step in
        guard case .insert(let table, let rows) = step, rows.allSatisfy({ !$0.contains(.null) }) else { return step }
        return .save(table: table, rows)
      }),
    WriteMutation(
      description: "only the first key of several is deleted",
      step: { step in
        guard case .delete(let table, let keys) = step else { return step }
        return .delete(table: table, Array(keys.prefix(1)))
      }),
    WriteMutation(
      description: "an update sets all rows",
      step: { step in
        guard case .update(let table, _, let assignments) = step else { return step }
        return .update(table: table, .true, assignments)
      }),
  ]

  private static func rule(_ description: String, _ old: DeleteRule, _ new: DeleteRule) -> WriteMutation {
    WriteMutation(
      description: description,
      table: { table in
        table.with(
          references: table.references.map {
            ReferenceRule($0.columns, to: $0.table, key: $0.key, onDelete: $0.onDelete == old ? new : $0.onDelete)
          })
      })
  }
}
