import Foundation
import Raw

/// Runs what the environment asks for, and prints a line a figure.
@main
struct Bench {
  private static let workloads =
    FetchWorkloads.all + FindWorkloads.all + QueryWorkloads.all + TextWorkloads.all + PageWorkloads.all
    + RelationWorkloads.all + ExpressionWorkloads.all + WriteWorkloads.all + CrowdWorkloads.all + OpenWorkloads.all
    + MemoryWorkloads.all + LiveWorkloads.all
    + PostgresWorkloads.all
  private static let measurements =
    CompileMeasurement.all + OperatorMeasurement.all + ServiceMeasurement.all + StreamMeasurement.all
    + GrowthMeasurement.all

  static func main() async {
    do {
      let arguments = CommandLine.arguments
      if arguments.count == 4, arguments[1] == StreamMeasurement.argument, let rows = Int(arguments[3]) {
        try await StreamMeasurement.stream(path: arguments[2], rows: rows)
      } else {
        try await measure(Options())
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ options: Options) async throws {
    let names = workloads.map(\.name) + measurements.map(\.name)
    let wanted = options.wanted(names)
    if wanted.isEmpty { throw NothingWanted(names: names) }
    var report = Report()
    let bed = try await Bed(options)
    let sqlite = try bed.raw.scalar("SELECT sqlite_version()")
    print("machine \(Machine.description(sqlite: sqlite, toolchain: options.toolchain))")
    print("pragmas \(try await bed.commonPragmas().joined(separator: ", "))")
    let missing = options.postgres == nil ? Set(PostgresWorkloads.all.map(\.name)) : []
    for workload in workloads where wanted.contains(workload.name) && !missing.contains(workload.name) {
      let contenders = try workload.contenders(bed)
      let rounds = try await Rounds(contenders, of: workload, count: options.rounds, duration: options.duration)
      report.add(rounds, of: workload, contenders: contenders)
      fflush(nil)
    }
    for measurement in measurements where wanted.contains(measurement.name) {
      try await measurement.run(bed, &report)
      fflush(nil)
    }
    report.finish(withTable: options.withTable)
  }
}

/// Names that nothing has.
private struct NothingWanted: Error, CustomStringConvertible {
  let names: [String]

  var description: String { "ONLY names nothing that there is: \(names.joined(separator: ", "))" }
}
