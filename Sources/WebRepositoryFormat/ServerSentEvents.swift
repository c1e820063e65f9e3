/// An event of a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
package struct ServerSentEvent: Hashable, Sendable {
  /// The event's name, such as `rows`.
  package var name = ""
  /// The id by which a client that has lost the connection identifies the last event that it received.
  package var id: String?
  /// The lines of its data, without their ends.
  package var data: [[UInt8]] = []

  package init(_ name: String, id: String? = nil, data: [[UInt8]]) {
    (self.name, self.id, self.data) = (name, id, data)
  }

  fileprivate init() {}

  /// The encoded event.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = Array("event: \(name)\n".utf8)
    if let id { bytes += "id: \(id)\n".utf8 }
    for line in data.isEmpty ? [[]] : data {
      bytes += "data: ".utf8
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// A comment, which keeps a connection alive and is not an event.
  package static let heartbeat: [UInt8] = Array(": \n\n".utf8)
}

/// A reader of events from the lines of a stream.
package struct EventReader {
  private var event = ServerSentEvent()
  private var hasFields = false

  package init() {}

  /// Adds a line.
  ///
  /// - Returns: the event that ends with the line, if one does.
  package mutating func take(_ line: ArraySlice<UInt8>) -> ServerSentEvent? {
    if line.isEmpty {
      defer { (event, hasFields) = (ServerSentEvent(), false) }
      if event.data == [[]] { event.data = [] }
      return hasFields ? event : nil
    }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: name, as: UTF8.self) {
    case "event": event.name = String(decoding: value, as: UTF8.self)
    case "id": event.id = String(decoding: value, as: UTF8.self)
    case "data": event.data.append(Array(value))
    // A comment has no name, and unknown fields are ignored.
    default: return nil
    }
    hasFields = true
    return nil
  }
}
