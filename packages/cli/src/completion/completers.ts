import type { Argument, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** Lists values for an option or argument. `operands` are the arguments before it on the command line. */
export type Completer = (
  typed: string,
  operands: readonly string[],
) => readonly Candidate[] | Promise<readonly Candidate[]>;

const completers = new WeakMap<Option | Argument, Completer>();

/** Sets the source of completions for an option or argument. */
export function completeWith(target: Option | Argument, completer: Completer): void {
  completers.set(target, completer);
}

export function findCompleter(target: Option | Argument): Completer | undefined {
  return completers.get(target);
}
