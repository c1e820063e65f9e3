/// Statements that are sent before the answer to the first has arrived.
/// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
extension ServerSession {
  // MARK: Commands ahead of a statement

  /// Sends commands without waiting for them.
  func beginPipeline(with commands: [String]) throws(PostgresError) {
    guard library.enterPipelineMode(connection) == 1 else { throw failure() }
    isPipelining = true
    for sql in commands {
      guard library.sendQuery(connection, sql, 0, nil, nil, nil, nil, 0) == 1 else { throw failure() }
    }
  }

  /// Waits for the commands that were sent before a statement. After the result of each command, libpq returns null.
  func awaitCommands(_ count: Int) throws(PostgresError) {
    for _ in 0..<count {
      while let pointer = library.getResult(connection) {
        let result = QueryResult(pointer, library)
        if result.status != nil { continue }
        let error = failure(result)
        endPipeline()
        throw error
      }
    }
  }

  /// Reads the rest of a pipeline, up to its end.
  func endPipeline() {
    guard isPipelining else { return }
    isPipelining = false
    var wasNone = false
    while !isLost {
      guard let pointer = library.getResult(connection) else {
        // If the pipeline was not sent completely, no result marks its end.
        if wasNone { break }
        wasNone = true
        continue
      }
      wasNone = false
      let result = QueryResult(pointer, library)
      if result.status == .pipelineSync { break }
      if isQueryingTransactionNumber, result.status == .allRows { transactionNumber = TransactionNumber(result) }
    }
    isQueryingTransactionNumber = false
    _ = library.exitPipelineMode(connection)
  }

  // MARK: The number of a transaction

  /// Queries the number of the open transaction after a statement in the same pipeline; the answer is read at the end of the
  /// pipeline.
  func askForNumber() -> Bool {
    isQueryingTransactionNumber = true
    return library.sendQuery(connection, TransactionNumber.query, 0, nil, nil, nil, nil, 0) == 1
  }

  // MARK: A description

  /// Describes the parameters and the columns of a statement that the session does not keep: the preparation and the description
  /// are sent together, since a pooler may send a later request to another session.
  ///
  /// - Parameter types: the types of the parameters, as far as the server does not infer them.
  func describe(
    _ sql: String, _ types: [TypeID]
  ) throws(PostgresError) -> (parameters: [TypeID], columns: [ResultColumn]) {
    guard library.enterPipelineMode(connection) == 1 else { throw failure() }
    isPipelining = true
    defer { endPipeline() }
    let isPrepared = types.map(\.rawValue).withUnsafeBufferPointer { types in
      library.sendPrepare(connection, "", sql, Int32(clamping: types.count), types.baseAddress)
    }
    guard isPrepared == 1, library.sendDescribePrepared(connection, "") == 1, library.pipelineSync(connection) == 1
    else {
      throw failure()
    }
    try awaitCommands(1)
    guard let pointer = library.getResult(connection) else { throw failure() }
    let description = QueryResult(pointer, library)
    if description.status == nil { throw failure(description) }
    return (description.parameterTypes, description.columns)
  }

  // MARK: The commit

  /// Commits the open transaction whose number is known, or has none.
  ///
  /// - Returns: the command tag, which is not always `COMMIT`.
  func commit() throws(PostgresError) -> String {
    canceller.begin(.commit)
    defer { canceller.end() }
    return try run("COMMIT").command
  }

  /// Commits the open transaction whose number is not known. The number arrives before the outcome of the commit, without a
  /// round trip of its own.
  ///
  /// - Parameter note: called with the number as soon as it has arrived; `nil` if the transaction has changed nothing.
  /// - Returns: the command tag, which is not always `COMMIT`.
  func commit(note: (TransactionNumber?) -> Void) throws(PostgresError) -> String {
    let number = TransactionNumber.query
    func send(_ sql: String) -> Bool { library.sendQuery(connection, sql, 0, nil, nil, nil, nil, 0) == 1 }
    guard library.enterPipelineMode(connection) == 1 else { throw failure() }
    defer { _ = library.exitPipelineMode(connection) }
    guard send(number), library.sendFlushRequest(connection) == 1, send("COMMIT"),
      library.pipelineSync(connection) == 1
    else { throw failure() }
    canceller.begin(.commit)
    defer { canceller.end() }
    var command = ""
    var fault: PostgresError?
    var nothings = 0
    // After the results of each statement, libpq returns null; the last result is the end of the pipeline.
    while true {
      guard let pointer = library.getResult(connection) else {
        nothings += 1
        if isLost || nothings > 1 { throw fault ?? failure() }
        continue
      }
      nothings = 0
      let result = QueryResult(pointer, library)
      switch result.status {
      case .pipelineSync:
        if let fault { throw fault }
        return command
      // Single-row mode is still on from the previous statement.
      case .oneRow, .allRows: if result.rowCount > 0 { note(TransactionNumber(result)) }
      case .commandDone: command = result.command
      default:
        fault = fault ?? failure(result)
        if isLost { throw fault ?? failure() }
      }
    }
  }

  // MARK: Reads

  /// The answer to a statement that was sent with others.
  enum PipelinedAnswer {
    case result(QueryResult)
    /// The statement failed with an SQLSTATE, which is empty if it was not run because one before it failed.
    case failed(sqlState: String)
    /// The connection is lost, and nothing more will arrive.
    case lost
  }

  func enterPipeline() -> Bool { library.enterPipelineMode(connection) == 1 }

  func leavePipeline() -> Bool { library.exitPipelineMode(connection) == 1 }

  /// Sends a statement without waiting for its answer, if it can be sent.
  func send(_ plan: PreparedPlan, _ parameters: ParameterBuffer) -> Bool {
    parameters.withPointers { values, lengths, formats in
      let (count, format): (Int32, Int32) = (Int32(clamping: parameters.count), plan.isBinary ? 1 : 0)
      if let name = plan.name {
        return library.sendPrepared(connection, name, count, values, lengths, formats, format)
      }
      return plan.parameters.map(\.rawValue).withUnsafeBufferPointer { types in
        library.sendQuery(connection, plan.sql, count, types.baseAddress, values, lengths, formats, format)
      }
    } == 1
  }

  /// Ends a part of a pipeline: if a statement fails, the following ones in the same part are not run.
  func endPart() -> Bool { library.pipelineSync(connection) == 1 }

  /// Whether more of the next answer has to arrive before it can be read.
  var isWaitingForAnswer: Bool { library.isBusy(connection) != 0 }

  /// Waits for the answer to the next statement of those that were sent.
  func nextAnswer() -> PipelinedAnswer {
    guard let pointer = library.getResult(connection) else { return .lost }
    let result = QueryResult(pointer, library)
    // After the results of the statement, libpq returns null.
    while let further = library.getResult(connection) { library.clear(further) }
    if isLost { return .lost }
    return result.status == .allRows ? .result(result) : .failed(sqlState: result.sqlState)
  }

  /// Waits for the end of a part.
  ///
  /// - Returns: whether it arrived.
  func awaitEndOfPart() -> Bool {
    guard let pointer = library.getResult(connection) else { return false }
    return QueryResult(pointer, library).status == .pipelineSync
  }
}
