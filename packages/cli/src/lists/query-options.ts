import { catalogue, type FieldDescription } from '@keyfront/sdk/operations';
import { type Command, Option } from 'commander';

/** The filters of a list as options of a command. */
export interface QueryOptions {
  /** The flag of each query parameter. */
  readonly flags: Readonly<Record<string, string>>;
  /** The query that the given options stand for. */
  readonly read: (options: object) => Record<string, string>;
}

/** `--limit` and `--all` stand for these. */
const pagingFields = new Set(['page', 'take', 'limit', 'cursor']);

/** Adds an option for each query parameter of an operation. `names` has those whose flag is another word. */
export function withQueryOptions(
  command: Command,
  operation: keyof typeof catalogue,
  names: Readonly<Record<string, string>> = {},
): QueryOptions {
  const query: Readonly<Record<string, FieldDescription>> = catalogue[operation].query;
  const fields = Object.entries(query).filter(
    ([name, { description }]) => !pagingFields.has(name) && !description?.startsWith('Alias of '),
  );
  const flags = Object.fromEntries(fields.map(([name]) => [name, `--${names[name] ?? toKebabCase(name)}`]));
  const options = fields.map(([name, field]) => [name, createOption(name, field, flags)] as const);
  for (const [, option] of options) command.addOption(option);
  return {
    flags,
    read: (values) =>
      Object.fromEntries(
        options.flatMap(([name, option]) => {
          const value: unknown = Reflect.get(values, option.attributeName());
          return value === undefined ? [] : [[name, String(value)]];
        }),
      ),
  };
}

const yesOrNo = ['true', 'false'];

function createOption(
  name: string,
  field: FieldDescription,
  flags: Readonly<Record<string, string>>,
): Option {
  const values = (field.values ?? []).filter((value) => value !== '');
  const description = describe(name, field, flags);
  // Without a value it means yes. The service refuses other values.
  if (values.length === 2 && yesOrNo.every((value) => values.includes(value)))
    return new Option(`${flags[name]} [true|false]`, description);
  const option = new Option(`${flags[name]} <value>`, description);
  return values.length > 0 ? option.choices(values) : option;
}

/** The first sentence of a description, as the other options are described, with flags in place of other parameters. */
function describe(
  name: string,
  { description }: FieldDescription,
  { [name]: _own, ...others }: Readonly<Record<string, string>>,
): string {
  const [sentence = ''] = (description ?? '').split(/\.(?: |$)/);
  const named = sentence.replaceAll(/`(\w+)`/g, (_quoted, other: string) => others[other] ?? other);
  return named.charAt(0).toLowerCase() + named.slice(1);
}

function toKebabCase(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
