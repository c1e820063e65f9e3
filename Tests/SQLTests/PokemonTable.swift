import Query

/// A table with a column of every type, null and not null.
func pokemonTable() throws -> TableSchema {
  try TableSchema(
    "pokemon",
    columns: [
      ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true),
      ColumnSchema("type", .text, isIndexed: true), ColumnSchema("habitat", .text, isNullable: true),
      ColumnSchema("weight", .real), ColumnSchema("height", .real, isNullable: true),
      ColumnSchema("picture", .blob, isNullable: true), ColumnSchema("extra", .any, isNullable: true),
    ],
    primaryKey: ["id"])
}
