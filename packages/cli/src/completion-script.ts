import type { Command } from 'commander';

interface Completions {
  /** What may follow the commands on a line; ` orders export` is two of them. */
  readonly words: Map<string, readonly string[]>;
  /** What may follow an option, where that is one of several values. */
  readonly values: Map<string, readonly string[]>;
}

// zsh runs the function of bash. Names such as `path` and `words` are avoided, which mean something to zsh.
const zshPrelude = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
`;

/** The completions of a program as a script, made from its commands. */
export function completionScript(program: Command, shell: 'bash' | 'zsh'): string {
  const { words, values } = collect(program);
  const commands = [...words.keys()].filter(Boolean);
  return `# Completions of keyfront for ${shell}, made by \`keyfront completion ${shell}\`.
${shell === 'zsh' ? zshPrelude : ''}_keyfront() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line='' candidates='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$line \${COMP_WORDS[at]}" in
      ${commands.map((line) => `'${line}'`).join(' | ')}) line="$line \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$line" in
${writeCases(words)}
  esac
  case "$line \${COMP_WORDS[COMP_CWORD - 1]}" in
${writeCases(values)}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _keyfront keyfront
`;
}

function writeCases(candidates: Completions['words']): string {
  return [...candidates]
    .map(([line, words]) => `    '${line}') candidates='${words.join(' ')}' ;;`)
    .join('\n');
}

function collect(command: Command, line = ''): Completions {
  const names = command.commands.map((each) => each.name());
  const flags = command.options.flatMap(({ long, short }) =>
    [long, short].filter((flag) => flag !== undefined),
  );
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = new Map<string, readonly string[]>([[line, [...names, ...choices, ...flags, '--help']]]);
  const values = new Map<string, readonly string[]>();
  for (const { long, argChoices } of command.options) {
    if (argChoices) values.set(`${line} ${long}`, argChoices);
  }
  for (const each of command.commands) {
    const inner = collect(each, `${line} ${each.name()}`);
    for (const [key, candidates] of inner.words) words.set(key, candidates);
    for (const [key, candidates] of inner.values) values.set(key, candidates);
  }
  return { words, values };
}
