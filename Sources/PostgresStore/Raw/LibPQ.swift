#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Repository

/// PostgreSQL's client library, loaded when the first store is opened: programs that open no such store start without the
/// library and its 25 dependencies, and nothing has to be installed to build them.
///
/// Its functions and their types are stable; the latest that is used was added in PostgreSQL 14.
/// https://www.postgresql.org/docs/15/libpq.html
final class LibPQ: Sendable {
  typealias Text = UnsafePointer<CChar>

  // Sessions.
  let connect: @convention(c) (UnsafePointer<Text?>, UnsafePointer<Text?>, Int32) -> OpaquePointer?
  let reset: @convention(c) (OpaquePointer) -> Void
  let setErrorVerbosity: @convention(c) (OpaquePointer, Int32) -> Int32
  let finish: @convention(c) (OpaquePointer) -> Void
  let status: @convention(c) (OpaquePointer) -> Int32
  let transactionStatus: @convention(c) (OpaquePointer) -> Int32
  let errorMessage: @convention(c) (OpaquePointer) -> Text?
  let parameterStatus: @convention(c) (OpaquePointer, Text) -> Text?
  let serverVersion: @convention(c) (OpaquePointer) -> Int32
  let socket: @convention(c) (OpaquePointer) -> Int32
  let consumeInput: @convention(c) (OpaquePointer) -> Int32
  let ping: @convention(c) (UnsafePointer<Text?>, UnsafePointer<Text?>, Int32) -> Int32
  let setNoticeProcessor:
    @convention(c) (
      OpaquePointer, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?

  // Connection strings, in arrays of `PQconninfoOption`.
  let parseConnectionString: @convention(c) (Text, UnsafeMutablePointer<Text?>?) -> UnsafeMutableRawPointer?
  let connectionOptions: @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
  let freeConnectionOptions: @convention(c) (UnsafeMutableRawPointer) -> Void
  let freeMemory: @convention(c) (UnsafeMutableRawPointer?) -> Void

  // Statements.
  let execute: @convention(c) (OpaquePointer, Text) -> OpaquePointer?
  let prepare: @convention(c) (OpaquePointer, Text, Text, Int32, UnsafePointer<UInt32>?) -> OpaquePointer?
  let describePrepared: @convention(c) (OpaquePointer, Text) -> OpaquePointer?
  let sendPrepare: @convention(c) (OpaquePointer, Text, Text, Int32, UnsafePointer<UInt32>?) -> Int32
  let sendDescribePrepared: @convention(c) (OpaquePointer, Text) -> Int32
  let sendPrepared:
    @convention(c) (
      OpaquePointer, Text, Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?,
      Int32
    ) -> Int32
  let sendQuery:
    @convention(c) (
      OpaquePointer, Text, Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?, Int32
    ) -> Int32
  let enterPipelineMode: @convention(c) (OpaquePointer) -> Int32
  let exitPipelineMode: @convention(c) (OpaquePointer) -> Int32
  let sendFlushRequest: @convention(c) (OpaquePointer) -> Int32
  let pipelineSync: @convention(c) (OpaquePointer) -> Int32
  let setSingleRowMode: @convention(c) (OpaquePointer) -> Int32
  let putCopyData: @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int32) -> Int32
  let putCopyEnd: @convention(c) (OpaquePointer, Text?) -> Int32
  let getResult: @convention(c) (OpaquePointer) -> OpaquePointer?
  let isBusy: @convention(c) (OpaquePointer) -> Int32

  let nextNotification: @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?

  // Results.
  let resultStatus: @convention(c) (OpaquePointer) -> Int32
  let resultErrorField: @convention(c) (OpaquePointer, Int32) -> Text?
  let commandStatus: @convention(c) (OpaquePointer) -> Text?
  let changedRows: @convention(c) (OpaquePointer) -> Text?
  let rowCount: @convention(c) (OpaquePointer) -> Int32
  let columnCount: @convention(c) (OpaquePointer) -> Int32
  let columnName: @convention(c) (OpaquePointer, Int32) -> Text?
  let columnType: @convention(c) (OpaquePointer, Int32) -> UInt32
  let columnModifier: @convention(c) (OpaquePointer, Int32) -> Int32
  let parameterCount: @convention(c) (OpaquePointer) -> Int32
  let parameterType: @convention(c) (OpaquePointer, Int32) -> UInt32
  let value: @convention(c) (OpaquePointer, Int32, Int32) -> Text?
  let valueLength: @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  let isNull: @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  let clear: @convention(c) (OpaquePointer) -> Void

  // Cancellation.
  let getCancel: @convention(c) (OpaquePointer) -> OpaquePointer?
  let cancel: @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, Int32) -> Int32
  let freeCancel: @convention(c) (OpaquePointer) -> Void

  private init(_ library: Library) throws(RepositoryError) {
    connect = try library.function("PQconnectdbParams")
    reset = try library.function("PQreset")
    setErrorVerbosity = try library.function("PQsetErrorVerbosity")
    finish = try library.function("PQfinish")
    status = try library.function("PQstatus")
    transactionStatus = try library.function("PQtransactionStatus")
    errorMessage = try library.function("PQerrorMessage")
    parameterStatus = try library.function("PQparameterStatus")
    serverVersion = try library.function("PQserverVersion")
    socket = try library.function("PQsocket")
    consumeInput = try library.function("PQconsumeInput")
    ping = try library.function("PQpingParams")
    setNoticeProcessor = try library.function("PQsetNoticeProcessor")
    parseConnectionString = try library.function("PQconninfoParse")
    connectionOptions = try library.function("PQconninfo")
    freeConnectionOptions = try library.function("PQconninfoFree")
    freeMemory = try library.function("PQfreemem")
    execute = try library.function("PQexec")
    prepare = try library.function("PQprepare")
    describePrepared = try library.function("PQdescribePrepared")
    sendPrepare = try library.function("PQsendPrepare")
    sendDescribePrepared = try library.function("PQsendDescribePrepared")
    sendPrepared = try library.function("PQsendQueryPrepared")
    sendQuery = try library.function("PQsendQueryParams")
    enterPipelineMode = try library.function("PQenterPipelineMode")
    exitPipelineMode = try library.function("PQexitPipelineMode")
    sendFlushRequest = try library.function("PQsendFlushRequest")
    pipelineSync = try library.function("PQpipelineSync")
    setSingleRowMode = try library.function("PQsetSingleRowMode")
    putCopyData = try library.function("PQputCopyData")
    putCopyEnd = try library.function("PQputCopyEnd")
    getResult = try library.function("PQgetResult")
    isBusy = try library.function("PQisBusy")
    nextNotification = try library.function("PQnotifies")
    resultStatus = try library.function("PQresultStatus")
    resultErrorField = try library.function("PQresultErrorField")
    commandStatus = try library.function("PQcmdStatus")
    changedRows = try library.function("PQcmdTuples")
    rowCount = try library.function("PQntuples")
    columnCount = try library.function("PQnfields")
    columnName = try library.function("PQfname")
    columnType = try library.function("PQftype")
    columnModifier = try library.function("PQfmod")
    parameterCount = try library.function("PQnparams")
    parameterType = try library.function("PQparamtype")
    value = try library.function("PQgetvalue")
    valueLength = try library.function("PQgetlength")
    isNull = try library.function("PQgetisnull")
    clear = try library.function("PQclear")
    getCancel = try library.function("PQgetCancel")
    cancel = try library.function("PQcancel")
    freeCancel = try library.function("PQfreeCancel")
  }

  // MARK: Loading

  /// Returns the library of the process, which stays loaded.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/cannotOpen`` if the library is
  ///   not installed.
  static func shared() throws(RepositoryError) -> LibPQ { try loaded.get() }

  private static let loaded = Result { () throws(RepositoryError) in
    for name in Library.names {
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return try LibPQ(Library(handle: handle)) }
    }
    throw RepositoryError(
      .cannotOpen, "PostgreSQL's client library is not installed",
      reason: dlerror().map { String(cString: $0) },
      suggestion: "install libpq: `apt-get install libpq5` on Debian and Ubuntu, `brew install libpq` on macOS")
  }

  /// A library that is loaded.
  private struct Library {
    let handle: UnsafeMutableRawPointer

    #if canImport(Darwin)
      /// The second and the third are Homebrew's, which does not link libpq in the library search path.
      static let names = [
        "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
      ]
    #else
      static let names = ["libpq.so.5"]
    #endif

    func function<Function>(_ name: String) throws(RepositoryError) -> Function {
      guard let address = dlsym(handle, name) else {
        throw RepositoryError(
          .cannotOpen, "PostgreSQL's client library lacks \(name)",
          reason: "the library is older than this program requires",
          suggestion: "install libpq of PostgreSQL 14 or later")
      }
      return unsafeBitCast(address, to: Function.self)
    }
  }
}

extension LibPQ {
  /// Returns whether there is data to read from a session's socket, or the server has closed it.
  func hasInput(_ connection: OpaquePointer) -> Bool {
    var state = pollfd(fd: socket(connection), events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}

extension [String] {
  /// Passes the texts to a closure as a C list, with null at its end.
  func withCTexts<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
    let copies = map { text in
      let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
      _ = copy.initialize(fromContentsOf: text.utf8CString)
      return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    return (copies.map { UnsafePointer($0.baseAddress) } + [nil]).withUnsafeBufferPointer { pointers in
      // An array with an element has an address.
      body(pointers.baseAddress.unsafelyUnwrapped)
    }
  }
}
