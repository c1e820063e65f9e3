import CSV
import ErrorDetails
import Query

// The list of objects within an object.
extension JSONRecordReader {
  /// The note on the lists in a file with one object, whose items are more likely the rows.
  var onlyObjectNote: String? {
    guard count == 1, state == .sequence, let first = listNames.first else { return nil }
    let others = listNames.dropFirst()
    return "\(file) has one object, imported as one row; --path \(first) imports each object of the list \(first)"
      + (others.isEmpty ? "" : ", and --path \(others.joined(separator: " or ")) those of another list")
  }

  /// Advances to the first object of the list at the path.
  func enterList() throws {
    while true {
      var cursor = JSONTokenizer(window.bytes)
      do throws(JSONTokenizer.Failure) {
        for (depth, name) in path.enumerated() {
          try cursor.expect("{")
          try seek(name, below: path[..<depth], &cursor)
        }
        guard try cursor.peek() == UInt8(ascii: "[") else { throw cursor.failure(expected: "a list of objects") }
      } catch .incomplete {
        if try readTwice() { continue }
        throw failure("the file ends within an object", at: window.bytes.count)
      } catch .malformed(let summary, let index, let suggestion) {
        throw failure(summary, at: index, suggestion)
      }
      move(cursor.offset + 1)
      state = .arrayStart
      return
    }
  }

  /// Reads the rest of the object around the list, which ends the file.
  func leaveList() throws {
    while true {
      var cursor = JSONTokenizer(window.bytes)
      do throws(JSONTokenizer.Failure) {
        for _ in path {
          cursor.skipSpace()
          while try cursor.peek() == UInt8(ascii: ",") {
            cursor.offset += 1
            cursor.skipSpace()
            guard try cursor.peek() == UInt8(ascii: "\"") else {
              throw cursor.failure(expected: "a name in double quotes")
            }
            _ = try text(&cursor)
            cursor.skipSpace()
            try cursor.expect(":")
            cursor.skipSpace()
            _ = try value(&cursor)
            cursor.skipSpace()
          }
          try cursor.expect("}")
        }
      } catch .incomplete {
        if try readTwice() { continue }
        throw failure("the file ends within an object", at: window.bytes.count)
      } catch .malformed(let summary, let index, let suggestion) {
        throw failure(summary, at: index, suggestion)
      }
      move(cursor.offset)
      if try hasMore() {
        throw failure("the file has another object", at: 0, "import each object from a file of its own")
      }
      return
    }
  }

  /// Advances to the value of a name within an object.
  private func seek(
    _ name: String, below path: ArraySlice<String>, _ cursor: inout JSONTokenizer
  ) throws(JSONTokenizer.Failure) {
    var names: [String] = []
    cursor.skipSpace()
    while try cursor.peek() == UInt8(ascii: "\"") {
      let found = String(decoding: try text(&cursor), as: UTF8.self)
      cursor.skipSpace()
      try cursor.expect(":")
      cursor.skipSpace()
      if Name(found) == Name(name) { return }
      names.append(found)
      _ = try value(&cursor)
      cursor.skipSpace()
      if try cursor.peek() == UInt8(ascii: ",") { cursor.offset += 1 }
      cursor.skipSpace()
    }
    throw .malformed(
      "the object has no name \((path + [name]).joined(separator: "."))", at: cursor.offset,
      suggestion: names.isEmpty ? "the object is empty" : "the names are \(VisibleText.names(names))")
  }
}

extension ImportField {
  /// The paths to lists that begin with an object, behind the name of a nested value: empty for the value itself, and such as
  /// `.items` for a list within an object.
  var listPaths: [String] {
    let marks = bytes.lazy.filter { $0 > 0x20 }.prefix(2)
    if marks.elementsEqual("[{".utf8) { return [""] }
    guard marks.first == UInt8(ascii: "{") else { return [] }
    var (paths, depth, previous) = ([String](), 0, UInt8(0))
    // The last text, and the names that lead to the current object.
    var (text, names) = ([UInt8](), [[UInt8]]())
    var (isInText, isEscaped) = (false, false)
    for byte in bytes where isInText || byte > 0x20 {
      if isInText {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInText = false } else { text.append(byte) }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): (isInText, text) = (true, [])
      case UInt8(ascii: "{"):
        if depth == 0, previous == UInt8(ascii: ":") || previous == 0 {
          if previous != 0 { names.append(text) }
        } else {
          if depth == 1, previous == UInt8(ascii: "[") {
            let path = (names + [text]).map { "." + String(decoding: $0, as: UTF8.self) }
            // --path takes no name with a point.
            let arePlain = path.allSatisfy { name in name.dropFirst().allSatisfy { $0 != "." && $0 != "\\" } }
            if arePlain { paths.append(path.joined()) }
          }
          depth += 1
        }
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "}"): if depth > 0 { depth -= 1 } else { _ = names.popLast() }
      default: break
      }
      previous = byte
    }
    return paths
  }
}
