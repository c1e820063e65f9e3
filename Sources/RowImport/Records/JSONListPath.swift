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
  /// Whether a nested value is a list that begins with an object.
  var isListOfObjects: Bool {
    let marks = bytes.lazy.filter { $0 > 0x20 }.prefix(2)
    return marks.elementsEqual("[{".utf8)
  }
}
