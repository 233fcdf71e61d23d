export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * Scripts that complete `keyfront`. They ask the installed program for candidates with `keyfront __complete WORDS`, so
 * they know the current profiles and need no update when commands change. The program prints a line for each candidate,
 * `value<TAB>description`, and last one of these lines: `:done`, `:nospace` (nothing follows the value yet) or `:files`.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for keyfront. Load it with: source <(keyfront completion bash)
_keyfront() {
  local -a words=()
  local at word line mode='' is_joined=0
  for ((at = 1; at <= COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    # bash splits words at = and :. Join them again.
    if [[ \${#words[@]} -gt 0 && ( $is_joined == 1 || $word == [=:]* ) ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    if [[ $word =~ ^[=:]+$ ]]; then is_joined=1; else is_joined=0; fi
  done
  word="\${words[\${#words[@]}-1]}"
  # bash replaces only the part after the last = or :.
  local kept="\${word%"\${word##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :*) mode="$line" ;;
      *) line="\${line%%$'\\t'*}"; COMPREPLY+=("$(printf '%q' "\${line#"$kept"}")") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
  case "$mode" in
    :nospace) compopt -o nospace 2>/dev/null ;;
    # bash 3 has no compopt.
    :files) compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "\${word#"$kept"}")) ;;
  esac
}
complete -F _keyfront keyfront
`,
  zsh: `#compdef keyfront
# zsh completion for keyfront. Load it with: source <(keyfront completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }

_keyfront() {
  local -a lines candidates
  local line mode
  lines=("\${(@f)$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  mode="$lines[-1]"
  for line in "\${(@)lines[1,-2]}"; do
    # _describe separates the value from its description by a colon.
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  case "$mode" in
    :files) _files ;;
    :nospace) _describe -V keyfront candidates -S '' ;;
    *) _describe -V keyfront candidates ;;
  esac
}

if [[ "$funcstack[1]" == _keyfront ]]; then _keyfront; else compdef _keyfront keyfront; fi
`,
  fish: `# fish completion for keyfront. Load it with: keyfront completion fish | source
function __keyfront_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --cut-at-cursor --current-token)
    set -l lines ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$lines[-1]" = :files
        __fish_complete_path $words[-1]
    else if test (count $lines) -gt 1
        printf '%s\\n' $lines[1..-2]
    end
end
complete --command keyfront --no-files --arguments '(__keyfront_complete)'
`,
};
