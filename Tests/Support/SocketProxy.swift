import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Stands between a store and its server, and cuts the connection where a test says.
///
/// It listens on a Unix socket of its own, and hands on to another one what arrives.
package final class SocketProxy: Sendable {
  /// What becomes of bytes that arrive.
  package enum Action {
    case forward
    /// So many bytes are handed on, and both connections end.
    case cut(after: Int)
    /// They are answered in the place of who they are for, and both connections end.
    case answer([UInt8])
  }

  package enum Direction: Hashable, Sendable {
    case toServer
    case toClient
  }

  private let listener: Int32
  private let target: String
  private let decide: @Sendable (Direction, [UInt8]) -> Action
  private let links = Mutex<[Link]>([])

  /// Both ends of what is handed on, which are closed when nothing is any more.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32

    init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

    deinit {
      close(client)
      close(server)
    }

    func end() { for socket in [client, server] { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - path: of the socket that it listens on.
  ///   - target: of the server's socket.
  ///   - decide: is asked about each piece of a connection, on a thread of the proxy's own.
  package init(at path: String, to target: String, decide: @escaping @Sendable (Direction, [UInt8]) -> Action) throws {
    self.target = target
    self.decide = decide
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0, Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    Thread.detachNewThread { [self] in accept(kind) }
  }

  /// Ends all connections, and takes no more of them.
  package func stop() {
    links.withLock { links in
      for link in links { link.end() }
      links = []
    }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private func accept(_ kind: Int32) {
    while true {
      #if canImport(Darwin)
        let client = Darwin.accept(listener, nil, nil)
      #elseif canImport(Glibc)
        let client = Glibc.accept(listener, nil, nil)
      #else
        let client = Musl.accept(listener, nil, nil)
      #endif
      guard client >= 0 else { return }
      let server = socket(AF_UNIX, kind, 0)
      guard server >= 0, Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
        close(client)
        if server >= 0 { close(server) }
        continue
      }
      let link = Link(client, server)
      links.withLock { $0.append(link) }
      Thread.detachNewThread { [self] in carry(.toServer, by: link) }
      Thread.detachNewThread { [self] in carry(.toClient, by: link) }
    }
  }

  private func carry(_ direction: Direction, by link: Link) {
    let (source, target) = direction == .toServer ? (link.client, link.server) : (link.server, link.client)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let piece = Array(buffer.prefix(count))
      switch decide(direction, piece) {
      case .forward: if write(piece[...], to: target) { continue }
      case .cut(let kept): _ = write(piece.prefix(kept), to: target)
      case .answer(let answer): _ = write(answer[...], to: source)
      }
      break
    }
    link.end()
    links.withLock { $0.removeAll { $0 === link } }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
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
    return true
  }
}
