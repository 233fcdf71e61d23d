import { type Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import { completeField } from '../completion/complete-field.ts';
import { completeWith } from '../completion/completers.ts';
import type { Context } from '../context.ts';
import { readFileOrStdin } from '../read-file-or-stdin.ts';
import { collect } from './shared-options.ts';

export interface BodyOptions {
  readonly data?: string;
  readonly field?: readonly string[];
}

/** Adds the options for the body of a request. `operationOf` finds the operation for completions in the arguments. */
export function withBody(
  command: Command,
  operationOf: (operands: readonly string[]) => { method: string; path: string | undefined },
): Command {
  const field = new Option(
    '-f, --field <name=value>',
    'field of a JSON body, as text; name:=json for other types; repeatable',
  ).argParser(collect);
  completeWith(field, (typed, operands) => {
    const { method, path } = operationOf(operands);
    return completeField('body', method, path, typed);
  });
  return command
    .option('-d, --data <json>', 'request body: JSON, @FILE or - for standard input')
    .addOption(field);
}

/** The JSON text of the body. It is sent exactly as given, because the signature covers its bytes. */
export async function readBody(
  context: Context,
  { data, field = [] }: BodyOptions,
): Promise<string | undefined> {
  if (data === undefined) return field.length === 0 ? undefined : writeFields(field);
  if (field.length > 0) throw usageError('Use either --data or --field');
  const isFile = data === '-' || data.startsWith('@');
  const text = isFile ? (await readFileOrStdin(context, data.replace(/^@/, ''))).toString() : data;
  if (parseJson(text) === undefined) {
    throw usageError(
      'The request body is not valid JSON. Quote names and texts with " and the whole body with \'.',
    );
  }
  return text;
}

function writeFields(fields: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(fields.map(parseField)));
}

function parseField(text: string): [string, unknown] {
  const [, name, operator, value] = /^([^=:]+)(:?=)(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageError(`Invalid field "${text}". Write it as name=value or name:=json.`);
  }
  if (operator === '=') return [name, value];
  const json = parseJson(value);
  if (json === undefined) throw usageError(`The value of "${name}" is not valid JSON: ${value}`);
  return [name, json];
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
