import { type Command, Option } from 'commander';

type Protocol = typeof import('@keyfront/protocol');

const sources = new WeakMap<Option, (protocol: Protocol) => readonly string[]>();

/** An option whose choices are an enumeration of the API. They are set by `loadChoices`. */
export function createChoiceOption(
  flags: string,
  description: string,
  select: (protocol: Protocol) => readonly string[],
): Option {
  const option = new Option(flags, description);
  sources.set(option, select);
  return option;
}

/**
 * Sets the choices of a command's options. The protocol is loaded only for commands that need it, because its schemas
 * take longer to load than the rest of the CLI.
 */
export async function loadChoices(command: Command): Promise<void> {
  const options = command.options.filter((option) => sources.has(option));
  if (options.length === 0) return;
  const protocol = await import('@keyfront/protocol');
  for (const option of options) option.choices(sources.get(option)?.(protocol) ?? []);
}
