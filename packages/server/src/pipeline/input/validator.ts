import { parseMoment, uuidForm } from '@keyfront/protocol';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import { limitEffort } from './limit-effort.ts';
import { describeIssue, describeNoField } from './validation-issues.ts';

/** Returns one issue for each rule that a value violates. */
export type Validate = (value: unknown) => string[];

// Reports all violations, and never changes the value: a body is used as it was signed. `allErrors` costs time for
// hostile input; `limitEffort` bounds it.
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  verbose: true,
  strict: true,
  strictTypes: false,
  // 0.07 is a multiple of 0.01, although not exactly in floating-point arithmetic.
  multipleOfPrecision: 9,
});
formats.default(ajv, ['email', 'uri', 'date']);
// The format of ajv-formats also accepts `urn:uuid:`.
ajv.addFormat('uuid', uuidForm);
// A date alone is accepted too, and an empty filter.
ajv.addFormat('date-time', (text) => text === '' || parseMoment(text) !== null);

/**
 * Validates by a schema, which is compiled when the first value arrives. Compiling the schemas of all operations would
 * take a seventh of the time that the service needs to start.
 */
export function compileValidator(schema: TObject): Validate {
  let validate: Validate | null = null;
  return (value) => {
    validate ??= compileNow(schema);
    return validate(value);
  };
}

function compileNow(schema: TObject): Validate {
  const validate = ajv.compile(limitEffort(schema));
  const validateKnownFields = compileKnownFields(schema);
  return (value) => {
    if (!validate(value)) return describeErrors(validate.errors ?? []);
    return validateKnownFields(value);
  };
}

function describeErrors(errors: readonly ErrorObject[]): string[] {
  const enums = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  // "must be one of …" says all there is to say about an enumeration.
  const telling = errors.filter(
    ({ keyword, instancePath }) => keyword !== 'if' && (keyword !== 'type' || !enums.has(instancePath)),
  );
  return [...new Set(telling.map(describeIssue))];
}

/**
 * `minProperties` counts unknown fields too, which are ignored here. A change that names only unknown fields changes
 * nothing: it was misspelt or meant for another operation.
 */
function compileKnownFields(schema: TSchema, path = ''): Validate {
  const properties: Record<string, TSchema> = 'properties' in schema ? Object(schema.properties) : {};
  const names = Object.keys(properties);
  const nested = names
    .map(
      (name) =>
        [name, compileKnownFields(properties[name] as TSchema, path ? `${path}.${name}` : name)] as const,
    )
    .filter(([, check]) => check !== noIssues);
  const needsOne = 'minProperties' in schema && schema.minProperties === 1;
  if (!needsOne && nested.length === 0) return noIssues;
  return (value) => {
    if (typeof value !== 'object' || value === null) return [];
    if (needsOne && !names.some((name) => Object.hasOwn(value, name))) return [describeNoField(path, names)];
    return nested.flatMap(([name, check]) => check((value as Record<string, unknown>)[name]));
  };
}

const noIssues: Validate = () => [];
