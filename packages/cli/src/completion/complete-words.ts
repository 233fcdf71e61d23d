import type { Argument, Command, Option } from 'commander';
import { type Candidate, findCompleter } from './completers.ts';

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell completes file names. */
  readonly isFile: boolean;
}

interface Position {
  readonly command: Command;
  /** Arguments of the command before the cursor. */
  readonly operands: readonly string[];
  /** The option whose value is typed. */
  readonly option: Option | null;
}

const nothing: Completion = { candidates: [], isFile: false };
const fileNames: Completion = { candidates: [], isFile: true };

/** Completes the last word of a command line. The words do not include the name of the program. */
export async function completeWords(program: Command, words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const position = locate(program, words.slice(0, -1));
  const { command, option } = position;
  if (option) return completeValue(option, typed, position.operands);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flag !== undefined && value !== undefined) return completeInlineValue(position, flag, value);
  if (typed.startsWith('-')) return matching(typed, listFlags(command));
  return completeOperand(position, typed);
}

/** Follows the words before the cursor to the command and the option that they lead to. */
function locate(program: Command, words: readonly string[]): Position {
  let command = program;
  let option: Option | null = null;
  const operands: string[] = [];
  for (const word of words) {
    if (option) option = null;
    else if (word.startsWith('-')) {
      const [flag = ''] = word.split('=');
      const found = findOption(command, flag);
      option = found && takesValue(found) && !word.includes('=') ? found : null;
    } else {
      const subcommand = command.commands.find((each) => each.name() === word);
      if (subcommand && operands.length === 0) command = subcommand;
      // `keyfront help orders` continues like `keyfront orders`.
      else if (command !== program || word !== 'help') operands.push(word);
    }
  }
  return { command, operands, option };
}

async function completeOperand(position: Position, typed: string): Promise<Completion> {
  const { command, operands } = position;
  if (command.commands.length > 0) {
    return operands.length === 0 ? matching(typed, listCommands(command)) : nothing;
  }
  const argument = command.registeredArguments[operands.length];
  if (argument) return completeValue(argument, typed, operands);
  return matching(typed, listFlags(command));
}

async function completeInlineValue(position: Position, flag: string, value: string): Promise<Completion> {
  const option = findOption(position.command, flag);
  if (!option || !takesValue(option)) return nothing;
  const { candidates, isFile } = await completeValue(option, value, position.operands);
  return {
    candidates: candidates.map((each) => ({ ...each, value: `${flag}=${each.value}` })),
    isFile,
  };
}

async function completeValue(
  target: Option | Argument,
  typed: string,
  operands: readonly string[],
): Promise<Completion> {
  const completer = findCompleter(target);
  if (completer) return matching(typed, await completer(typed, operands));
  if (target.argChoices) {
    return matching(
      typed,
      target.argChoices.map((value) => ({ value })),
    );
  }
  return 'flags' in target && target.flags.endsWith('<file>') ? fileNames : nothing;
}

function listCommands(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function listFlags(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ value: option.long ?? option.flags, description: option.description }));
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function matching(typed: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), isFile: false };
}
