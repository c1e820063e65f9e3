#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `repokit completions`: prints what a shell needs to complete this tool's lines.
struct CompletionsCommand: Command {
  static let description = CommandDescription(
    name: "completions", summary: "Print a script that completes repokit commands in a shell.",
    examples: [
      .init(
        arguments: "completions bash > ~/.local/share/bash-completion/completions/repokit",
        meaning: "Complete in every new bash; requires bash-completion."),
      .init(
        arguments: "completions zsh > ~/.zfunc/_repokit",
        meaning: "Complete in zsh, with fpath+=~/.zfunc before compinit in ~/.zshrc."),
      .init(arguments: "completions fish > ~/.config/fish/completions/repokit.fish", meaning: "Complete in fish."),
    ],
    positionals: [shell],
    notes: [
      .paragraph(
        "Completion covers commands, options, tables, columns, and the operators and values of queries, from the "
          + "database on the command line. Completion only reads the database, and never waits for a lock."),
      .paragraph("To try completion in the current bash, run source <(repokit completions bash)."),
    ])

  private static let shell = PositionalDescription(
    name: "SHELL", help: "bash, zsh or fish.", completion: .words(ShellKind.allCases.map(\.rawValue)))

  private let shell: ShellKind

  init(_ arguments: Arguments) throws(Failure) {
    let name = try arguments.required(Self.shell)
    guard let shell = ShellKind(rawValue: name) else {
      throw arguments.command.usageError(
        "there are no completions for \(TerminalText.quoted(name))",
        suggestion: .among(ShellKind.allCases.map(\.rawValue), nearestTo: name))
    }
    self.shell = shell
  }

  func run(_ console: Console) async throws {
    try console.print(shell.script)
  }
}

/// `repokit complete`: called only by the scripts of ``ShellKind``, so no help lists it.
///
/// It prints nothing to the standard error and never fails: after any error, there is just nothing to complete.
struct CompleteCommand: Command {
  static let description = CommandDescription(
    name: "complete", summary: "List the words that can continue a line.",
    examples: [
      .init(
        arguments: "complete fish -- pok query pokedex.sqlite",
        meaning: "List the tables that start with these letters.")
    ],
    positionals: [shell, words])

  private static let shell = PositionalDescription(
    name: "SHELL", help: "bash, zsh or fish; each quotes differently.", isOptional: true)
  private static let words = PositionalDescription(
    name: "WORD", help: "In bash, the line, COMP_TYPE and COMP_WORDBREAKS; elsewhere, the word and the words before.",
    isOptional: true, isRepeated: true)

  private let shell: ShellKind?
  private let words: [String]

  init(_ arguments: Arguments) throws(Failure) {
    shell = arguments[Self.shell].flatMap(ShellKind.init)
    words = arguments.all(Self.words)
  }

  func run(_ console: Console) async throws {
    Self.limitTime()
    let engine = CompletionEngine(commands: CommandList.repokit.all.map { $0.description })
    guard let shell, let first = words.first else { return }
    switch shell {
    case .bash:
      let line = BashLine(first, breaks: words.count > 2 ? words[2] : "")
      let found = await engine.candidates(for: line.current, after: Array(line.words.dropFirst()))
      // Where readline only shows them, they are shorter.
      let isList = words.count > 1 && words[1] == "63"
      try print(found, to: console) { candidate in
        line.replacement(candidate).map { isList ? candidate.label : $0 }
      }
      // Readline ends the quotes behind the only candidate; of two, it takes what they have in common.
      if case .words(let words) = found, words.count == 1, let only = words.first, !only.isComplete, !isList {
        try print(found, to: console, hasHeading: false) { line.replacement($0).map { "\($0) " } }
      }
    case .zsh:
      let line = BashLine(first)
      let found = await engine.candidates(for: line.current, after: words.dropFirst().map(Self.unquoted))
      try print(found, to: console) { candidate in
        line.wholeReplacement(candidate).map { text in
          let note = candidate.note.isEmpty ? "" : "  -- \(candidate.note)"
          return "\(candidate.isComplete ? "closed" : "open")\t\(text)\t\(candidate.label)\(note)"
        }
      }
    case .fish:
      let current = Self.unquoted(first)
      let found = await engine.candidates(for: current, after: Array(words.dropFirst()))
      try print(found, to: console) { "\($0.word)\t\($0.note)" }
    }
  }

  private func print(
    _ candidates: Candidates, to console: Console, hasHeading: Bool = true, _ line: (Candidate) -> String?
  ) throws {
    guard case .words(let words) = candidates else { return try console.print("files\n") }
    // A name with a line feed would be two, and one with an escape reach the terminal.
    let safe = words.filter { TerminalText.visible($0.word) == $0.word }
    try console.print((hasHeading ? "words\n" : "") + safe.compactMap(line).map { $0 + "\n" }.joined())
  }

  private static func unquoted(_ word: String) -> String { ShellWords(word).words.last?.text ?? "" }

  /// Ends the program without candidates after a time limit, even where the file system hangs: the user is waiting.
  private static func limitTime() {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(CompletionTimeLimit.current.total)
  }
}

/// A shell that this tool's lines can be completed in.
enum ShellKind: String, CaseIterable {
  case bash, zsh, fish

  /// The script that makes the shell ask ``CompleteCommand`` for candidates.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  // What comes back is put into arrays line by line, and never read as a part of the script.
  private static let bashScript = #"""
    # Completes lines of repokit in bash 4 and later.
    _repokit() {
        local answer line
        COMPREPLY=()
        {
            IFS= read -r answer
            while IFS= read -r line; do COMPREPLY+=("$line"); done
        } < <("${1/#\~\//$HOME/}" complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_TYPE" "$COMP_WORDBREAKS" 2>/dev/null)
        case $answer in
            files) compopt -o default -o filenames ;;
            *) compopt +o default -o nospace ;;
        esac 2>/dev/null
    }
    complete -F _repokit repokit

    """#

  private static let zshScript = #"""
    #compdef repokit
    # Completes lines of repokit in zsh.
    _repokit() {
        local line
        local -a answer part closed closedShown open openShown
        answer=("${(@f)$("${(Q)words[1]/#\~\//$HOME/}" complete zsh -- "${compstate[quote]}$PREFIX" "${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
        if [[ $answer[1] == files ]]; then
            _files
            return
        fi
        for line in "${(@)answer[2,-1]}"; do
            part=("${(@ps:\t:)line}")
            if [[ $part[1] == closed ]]; then
                closed+=("$part[2]") closedShown+=("$part[3]")
            else
                open+=("$part[2]") openShown+=("$part[3]")
            fi
        done
        (( $#closed )) && compadd -U -Q -l -d closedShown -a closed
        (( $#open )) && compadd -U -Q -S '' -l -d openShown -a open
    }
    if [[ $funcstack[1] == _repokit ]]; then
        _repokit
    else
        compdef _repokit repokit
    fi

    """#

  private static let fishScript = #"""
    # Completes lines of repokit in fish.
    function __repokit_complete
        set -l before (commandline -opc)
        set -l answer ($before[1] complete fish -- (commandline -ct | string collect) $before[2..-1] 2>/dev/null)
        if test "$answer[1]" = files
            __fish_complete_path (commandline -ct | string collect)
        else if set -q answer[2]
            printf '%s\n' $answer[2..-1]
        end
    end
    complete -c repokit -f -a '(__repokit_complete)'

    """#
}
