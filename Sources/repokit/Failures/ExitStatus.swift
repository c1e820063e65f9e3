/// What the tool tells the program that started it.
enum ExitStatus: Int32 {
  /// It did what it was asked. Also when whoever reads its output wants no more of it, as `head` does.
  case done = 0
  /// The command makes sense, and it failed: a file, the database or the data is not as it should be.
  case failed = 1
  /// The command or the query has to be written differently.
  case misused = 2
}
