import CSV

/// Reads what `--format tsv` writes.
final class TSVRecordReader: RecordReader {
  private let file: String
  private let window: ByteWindow
  private let reader: RawTSVReader

  init(_ window: ByteWindow, of file: String) throws(Failure) {
    (self.file, self.window) = (file, window)
    do throws(CSVError) {
      reader = try RawTSVReader(window)
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
