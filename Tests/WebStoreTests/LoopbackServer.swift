import Foundation
import Synchronization
import WebStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The least of a server of HTTP/1.1: each connection is a thread, and carries one request.
///
/// It cuts connections where a test says, as a network does.
final class LoopbackServer: Sendable {
  /// After how many bytes a connection is cut, of what is read or of the body that is written; `nil` for not at all.
  ///
  /// Not within the header of an answer: Foundation on Linux ends the process then (`NativeProtocol.swift`, "Transfer
  /// completed, but there's no response"). `CutTests` cuts there without Foundation.
  struct Cut: Sendable {
    var reading: Int?
    var writing: Int?
    /// Whether nothing is written.
    var isMute = false
  }

  let port: UInt16
  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  private let listener: Int32
  private let transport: any WebTransport
  private let cut: @Sendable () -> Cut

  init(_ transport: any WebTransport, cutting cut: @escaping @Sendable () -> Cut = { Cut() }) throws {
    (self.transport, self.cut) = (transport, cut)
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard listener >= 0, isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { break }
      Thread.detachNewThread { [self] in
        Connection(client, cut()).serve(transport)
        close(client)
      }
    }
    close(listener)
  }
}

/// One connection, used by its own thread alone.
private final class Connection: @unchecked Sendable {
  private let socket: Int32
  private var cut: LoopbackServer.Cut
  private var buffer: [UInt8] = []
  private var hasHeader = false

  init(_ socket: Int32, _ cut: LoopbackServer.Cut) { (self.socket, self.cut) = (socket, cut) }

  func serve(_ transport: any WebTransport) {
    guard let head = readHead() else { return }
    let lines = head.split(separator: "\r\n").map(String.init)
    let parts = lines[0].split(separator: " ").map(String.init)
    guard parts.count == 3 else { return }
    var headers = WebHeaders()
    for line in lines.dropFirst() {
      let name = line.prefix { $0 != ":" }
      headers.append(String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
    }
    let body = ByteQueue()
    let request = WebRequest(parts[0], parts[1], headers: headers, body: WebBody(body))
    let answer = ByteQueue()
    let task = Task {
      do {
        let response = try await transport.send(request)
        var head = "HTTP/1.1 \(response.status) -\r\nConnection: close\r\n"
        for field in response.headers.fields where field.name != "Content-Length" {
          head += "\(field.name): \(field.value)\r\n"
        }
        let isEmpty = [204, 304].contains(response.status) || request.method == "HEAD"
        answer.add(Array((head + (isEmpty ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n")).utf8))
        if !isEmpty {
          for try await chunk in response.body where !chunk.isEmpty {
            answer.add(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8))
          }
          answer.add(Array("0\r\n\r\n".utf8))
        }
        answer.finish()
      } catch {
        answer.finish()
      }
    }
    readBody(headers, into: body)
    while let bytes = answer.nextBlocking() {
      if !write(bytes) { break }
    }
    task.cancel()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func readHead() -> String? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        defer { buffer.removeSubrange(..<range.upperBound) }
        return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
      }
      if buffer.count > 65_536 || !fill() { return nil }
    }
  }

  private func readBody(_ headers: WebHeaders, into body: ByteQueue) {
    if headers["Expect"] != nil { _ = write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    var rest = Int(headers["Content-Length"] ?? "0") ?? 0
    while rest > 0 {
      if buffer.isEmpty, !fill() { return body.finish(URLError(.networkConnectionLost)) }
      let piece = Array(buffer.prefix(rest))
      buffer.removeFirst(piece.count)
      rest -= piece.count
      body.add(piece)
    }
    body.finish()
  }

  private func fill() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &bytes, bytes.count, 0)
    if count <= 0 { return false }
    buffer += bytes.prefix(min(count, cut.reading ?? count))
    if let reading = cut.reading {
      if reading < count {
        cut.reading = 0
        if reading == 0 {
          shutdown(socket, Int32(SHUT_RDWR))
          return false
        }
      } else {
        cut.reading = reading - count
      }
    }
    return true
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    if cut.isMute { return false }
    var rest = bytes[...]
    // The header is one piece.
    defer { hasHeader = true }
    let isCut = hasHeader && cut.writing.map { $0 < rest.count } ?? false
    if hasHeader, let writing = cut.writing {
      rest = rest.prefix(writing)
      cut.writing = writing - rest.count
    }
    while !rest.isEmpty {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return !isCut
  }
}

/// Bytes that a thread and a task hand each other.
private final class ByteQueue: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  private let stream: AsyncThrowingStream<[UInt8], any Error>
  private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
  private let state = Mutex<(chunks: [[UInt8]], isOver: Bool)>(([], false))
  private let semaphore = DispatchSemaphore(value: 0)

  init() { (stream, continuation) = AsyncThrowingStream.makeStream() }

  func add(_ bytes: [UInt8]) {
    state.withLock { $0.chunks.append(bytes) }
    continuation.yield(bytes)
    semaphore.signal()
  }

  func finish(_ error: (any Error)? = nil) {
    state.withLock { $0.isOver = true }
    continuation.finish(throwing: error)
    semaphore.signal()
  }

  func nextBlocking() -> [UInt8]? {
    while true {
      let (chunk, isOver) = state.withLock { state in
        (state.chunks.isEmpty ? nil : state.chunks.removeFirst(), state.isOver)
      }
      if let chunk { return chunk }
      if isOver { return nil }
      semaphore.wait()
    }
  }

  func makeAsyncIterator() -> AsyncThrowingStream<[UInt8], any Error>.Iterator { stream.makeAsyncIterator() }
}
