import { type Command, InvalidArgumentError, Option } from 'commander';

/** Units of a line of an order. */
export interface LineQuantity {
  readonly id: string;
  readonly quantity: number;
}

/** Adds `--line`, which may be repeated. */
export function withLines(command: Command, description: string, conflicts: string[] = []): Command {
  return command.addOption(
    new Option('--line <line-id=quantity>', `${description}; repeatable`)
      .argParser((text, earlier: readonly LineQuantity[] = []) => [...earlier, readLine(text)])
      .conflicts(conflicts),
  );
}

/** The service checks whether there is such a line, with so many units. */
function readLine(text: string): LineQuantity {
  const [, id, quantity] = /^([0-9a-f-]{36})=([1-9]\d{0,8})$/i.exec(text) ?? [];
  if (id === undefined) {
    throw new InvalidArgumentError('Write it as line-id=quantity, with an ID from `keyfront orders get`.');
  }
  return { id, quantity: Number(quantity) };
}
