#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SQLiteStore

extension InputFile {
  /// Returns the files of rows in a directory, sorted by name; a file's own path if the path is not of a directory.
  ///
  /// - Throws: ``ImportError`` if the directory can't be read, or has no files whose names imply a format.
  package static func paths(of path: String) throws(ImportError) -> [String] {
    guard FileKind(ofPath: path) == .directory else { return [path] }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw ImportError("can't read the directory \(path)", details: ["check the permissions of the directory"])
    }
    let files = names.filter { InputFormat(ofPath: $0) != nil && !$0.hasPrefix(".") }.sorted()
    if files.isEmpty {
      throw ImportError(
        "the directory \(path) has no CSV, TSV or JSON files",
        details: ["the names end with .csv, .tsv, .tab, .json, .ndjson or .jsonl, also with .gz behind"])
    }
    return files.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }
}
