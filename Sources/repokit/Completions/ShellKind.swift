/// A shell that this tool's lines can be completed in.
enum ShellKind: String, CaseIterable {
  case bash, zsh, fish

  /// What the shell runs, so that it asks ``CompleteCommand`` for what may stand on a line.
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
