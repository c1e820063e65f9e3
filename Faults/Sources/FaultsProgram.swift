import Foundation

/// Breaks things on purpose, and prints what came of it: `faults [--quick] [EXPERIMENT …]`.
@main
enum FaultsProgram {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "role" {
      await play(arguments.dropFirst())
      return
    }
    let scale: Scale = arguments.contains("--quick") ? .quick : .full
    arguments.removeAll { $0 == "--quick" }
    let names = Experiment.all.map(\.name)
    if let unknown = arguments.first(where: { !names.contains($0) }) {
      print("there is no experiment \(unknown); there are \(names.joined(separator: ", "))")
      exit(2)
    }
    let chosen = Experiment.all.filter { arguments.isEmpty || arguments.contains($0.name) }
    exit(await FaultTable.print(chosen, scale) ? 0 : 1)
  }

  private static func play(_ arguments: ArraySlice<String>) async {
    guard let role = Role.all.first(where: { $0.name == arguments.first }) else { exit(2) }
    do {
      try await role.body(Array(arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("\(role.name): \(error)\n".utf8))
      exit(1)
    }
  }
}
