extension FormatName {
  /// The format that a file's name tells; `nil` where it tells none.
  init?(ofPath path: String) {
    guard let name = path.split(separator: "/").last, let point = name.lastIndex(of: ".") else { return nil }
    let suffix = name[name.index(after: point)...].lowercased()
    switch suffix {
    case "tab": self = .tsv
    case "jsonl": self = .ndjson
    case "md": self = .markdown
    case "txt": self = .table
    case "htm": self.init(rawValue: "html")
    default: self.init(rawValue: suffix)
    }
  }
}
