#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files whose paths start in some way.
struct FileNames {
  private let folder: String
  private let start: String

  init(startingWith path: String) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    (folder, start) = (String(path[..<slash]), String(path[slash...]))
  }

  /// The files in alphabetical order, folders with a slash; hidden ones where a dot is written.
  var candidates: [Candidate] {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, name != ".", name != "..", name.hasPrefix(start) else { continue }
      if name.hasPrefix("."), start.isEmpty { continue }
      names.append(name)
    }
    return names.sorted().map { name in
      let isFolder = FileKind(ofPath: folder + name) == .directory
      let label = isFolder ? "\(name)/" : name
      return Candidate(word: folder + label, label: label, isComplete: !isFolder)
    }
  }
}
