/// Why output went nowhere.
enum OutputError: Error, Hashable {
  /// Who read it closed the pipe, as `head` does when it has seen enough: a reason to stop, not to complain.
  case readerLeft
  /// It could not be written.
  case failure(Failure)
}
