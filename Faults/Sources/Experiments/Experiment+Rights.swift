extension Experiment {
  /// Without the right to write, it works or tells why not.
  static let rights = Experiment("rights", "read-only files and folders, a log without its -shm") { _ in
    let folder = try Folder()
    return try await Helper("lackRights", [folder.path]).finding()
  }
}
