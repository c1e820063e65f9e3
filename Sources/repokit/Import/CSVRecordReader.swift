import CSV

/// Reads CSV, whose first line names the columns.
final class CSVRecordReader: RecordReader {
  private let file: String
  private let window: ByteWindow
  private let reader: RawCSVReader

  init(_ window: ByteWindow, of file: String) throws(Failure) {
    (self.file, self.window) = (file, window)
    do throws(CSVError) {
      reader = try RawCSVReader(window)
    } catch {
      throw Failure(error, in: file)
    }
  }

  var names: [String] { reader.header }
  var line: Int { reader.line }
  var offset: Int { window.offset }

  func next() throws -> Bool {
    do throws(CSVError) {
      return try reader.next()
    } catch {
      let failure = Failure(error, in: file)
      throw reader.isBroken ? failure as any Error : BadRow(failure: failure)
    }
  }

  func field(at position: Int) -> ImportField { ImportField(reader.fields[position]) }
}
