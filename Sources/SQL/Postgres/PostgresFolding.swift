import Query

/// The function that folds the case of a text in PostgreSQL, which the driver has to create before a request calls it.
///
/// PostgreSQL's own case functions depend on a locale; `casefold`, from version 18 on, on the Unicode version of the server.
/// This function is generated from the folding of the sought text, so that both agree. It is immutable, so that an index can
/// contain its results.
package enum PostgresFolding {
  /// The schema of the function. A schema with the name of a role would be the first in that role's search path, and new tables
  /// would be created there. https://www.postgresql.org/docs/15/ddl-schemas.html#DDL-SCHEMAS-PATH
  package static let schema = "repokit_functions"

  /// The function's name. It contains a hash of the folding, so that programs with different versions of Unicode have
  /// separate functions.
  package static let functionName: String = {
    var hash = FNVHash()
    for mapping in mappings {
      hash.add(String(mapping.scalar))
      hash.add(mapping.folded)
    }
    return "\(schema).fold_\(String(hash.value, radix: 36))"
  }()

  /// The statements that create the schema and the function, for all roles to use.
  package static var definition: [String] {
    [
      """
      DO $$BEGIN IF to_regnamespace('\(schema)') IS NULL THEN \
      CREATE SCHEMA \(schema); GRANT USAGE ON SCHEMA \(schema) TO PUBLIC; END IF; END$$
      """,
      """
      CREATE OR REPLACE FUNCTION \(functionName)(text) RETURNS text
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $fold$
      DECLARE t text COLLATE "C" := lower($1 COLLATE "C");
      BEGIN
      \(steps(of: blocks[...]))RETURN t;
      END
      $fold$
      """,
    ]
  }

  /// Returns statements that fold the letters of some blocks.
  ///
  /// Most texts have letters of one script or two. So each half of the blocks is skipped if the text has none of its letters,
  /// and otherwise divided again.
  private static func steps(of blocks: ArraySlice<Block>) -> String {
    if blocks.count == 1 { return "t := \(blocks[blocks.startIndex].expression);\n" }
    let middle = blocks.startIndex + blocks.count / 2
    return [blocks[..<middle], blocks[middle...]].map { half in
      "IF t ~ '[\(half.map { "\($0.first.scalar)-\($0.last.scalar)" }.joined())]' THEN\n\(steps(of: half))END IF;\n"
    }.joined()
  }

  /// A scalar that folding changes, with its replacement.
  fileprivate struct Mapping {
    let scalar: Unicode.Scalar
    let folded: String
  }

  /// All scalars beyond ASCII that folding changes, in order.
  ///
  /// No scalars beyond the first two planes of Unicode have case.
  private static let mappings: [Mapping] = (0x80...0x1FFFF as ClosedRange<UInt32>).compactMap { value in
    guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { return nil }
    let folded = CaseFolding.fold(String(scalar))
    return folded.unicodeScalars.elementsEqual([scalar]) ? nil : Mapping(scalar: scalar, folded: folded)
  }

  /// A block of adjacent mappings, which one step applies.
  private struct Block {
    var mappings: [Mapping]

    var first: Mapping { mappings[0] }
    var last: Mapping { mappings[mappings.count - 1] }

    /// The folded text. Folded scalars are not folded further, so that the order makes no difference.
    var expression: String {
      let (single, multiple) = (mappings.filter(\.isSingle), mappings.filter { !$0.isSingle })
      let (from, to) = (single.map { String($0.scalar) }.joined(), single.map(\.folded).joined())
      let start = single.isEmpty ? "t" : "translate(t, '\(from)', '\(to)')"
      return multiple.reduce(start) { "replace(\($0), '\($1.scalar)', '\($1.folded)')" }
    }
  }

  /// The time to fold a block grows with its mappings, and the time to find the blocks of a text with their number.
  private static let maximumBlockCount = 48
  private static let maximumGap = 128

  private static var blocks: [Block] {
    var blocks: [Block] = []
    for mapping in mappings {
      if let last = blocks.last, last.mappings.count < maximumBlockCount,
        mapping.scalar.value - last.last.scalar.value <= maximumGap
      {
        blocks[blocks.count - 1].mappings.append(mapping)
      } else {
        blocks.append(Block(mappings: [mapping]))
      }
    }
    return blocks
  }
}

extension PostgresFolding.Mapping {
  fileprivate var isSingle: Bool { folded.unicodeScalars.count == 1 }
}
