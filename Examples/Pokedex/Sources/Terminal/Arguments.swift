import ErrorHandling
import Repository

/// What the program was told to do.
struct Arguments: Hashable {
  enum Command: Hashable {
    case highlights
    case list(PokemonFilter, sort: AnySort, limit: Int?)
    case show(String)
    case help
  }

  private(set) var command = Command.highlights
  /// Another file to read than the one that comes with the example.
  private(set) var csvPath: String?
  /// What keeps the Pokémon beyond the end of the program.
  private(set) var database: String?

  /// Reads the words of a command line, without the program's name.
  init(_ words: some Sequence<String>) throws(UsageError) {
    var words = Words(words)
    var filter = PokemonFilter()
    var sort = AnySort.primaryKey
    var limit: Int?
    var name: String?
    let verb = words.nextVerb() ?? "highlights"
    guard ["highlights", "list", "show", "help"].contains(verb) else {
      throw UsageError("there is no command \(verb)")
    }
    while let word = words.next() {
      switch (verb, word) {
      case (_, "--csv"): csvPath = try words.value(of: word)
      case (_, "--database"): database = try words.value(of: word)
      case (_, "--help"), (_, "-h"):
        command = .help
        return
      case ("list", "--type"): filter.type = try words.choice(of: word)
      case ("list", "--habitat"): filter.habitat = try words.choice(of: word)
      case ("list", "--heavier-than"): filter.heavierThan = try words.number(of: word)
      case ("list", "--lighter-than"): filter.lighterThan = try words.number(of: word)
      case ("list", "--name"): filter.nameContains = try words.value(of: word)
      case ("list", "--legendary"): filter.isLegendary = true
      case ("list", "--where"): filter.query = try words.parsed(of: word, AnyQuery.init(parsing:))
      case ("list", "--sort"): sort = try words.parsed(of: word, AnySort.init(parsing:))
      case ("list", "--limit"): limit = try words.count(of: word)
      case ("show", _) where name == nil && !word.hasPrefix("--"): name = word
      default: throw UsageError("\(verb) takes no \(word)")
      }
    }
    switch (verb, name) {
    case ("list", _): command = .list(filter, sort: sort, limit: limit)
    case ("show", let name?): command = .show(name)
    case ("show", nil): throw UsageError("show takes a name or a number")
    case ("help", _): command = .help
    default: command = .highlights
    }
  }

  static let help = """
    A Pokédex of the first 151 Pokémon.

    Usage: pokedex                        the heaviest, the fastest and the legendary
           pokedex list [OPTION]...       all of them, or those that the options let through
           pokedex show NAME_OR_NUMBER    one of them: pokedex show pikachu

    Options of list:
      --type TYPE            of a type, the first or the second: fire, water, ...
      --habitat HABITAT      that live in a place: cave, sea, waters-edge, ...
      --heavier-than WEIGHT  in kilograms
      --lighter-than WEIGHT  in kilograms
      --name TEXT            whose name contains a text
      --legendary            that are legendary
      --where QUERY          that a query means: "attack > defense and type2 is null"
      --sort KEYS            in another order: "weight desc, name"
      --limit COUNT          at most so many

    Options of every command:
      --csv PATH             read another file than the one that comes with the program
      --database DATABASE    keep the Pokémon in an SQLite file, or in a PostgreSQL
                             database: postgresql://localhost/pokedex
      --help                 show this help
    """
}

/// A command line that means nothing.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Tells a person what went wrong, and the program that started this one by an exit status.
struct ErrorPresenter {
  private let alerts: any AlertPresenter

  init(_ alerts: some AlertPresenter) {
    self.alerts = alerts
  }

  /// Shows an error of any layer.
  ///
  /// - Returns: 2 where something else has to be asked for, 1 where that would not help.
  func present(_ error: any Error) async -> Int32 {
    let error = PresentationError(error)
    if error.kind != .cancelled { _ = await alerts.ask(Alert(error)) }
    return error.kind == .correctable ? 2 : 1
  }
}
