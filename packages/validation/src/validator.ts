import { isDeepStrictEqual } from 'node:util';
import { maximumIssues, textPatterns, uuidForm } from '@keyfront/protocol';
import { Ajv, type ErrorObject, type SchemaObject, type ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { TObject } from 'typebox';
import { completePatterns, valueRules } from './complete-patterns.ts';
import { readCountryCode } from './countries.ts';
import { limitEffort } from './limit-effort.ts';
import { describeIssue } from './validation-issues.ts';

/** Returns one issue for each rule that a value violates. */
export type Validate = (value: unknown) => string[];

type Describe = (error: ErrorObject) => string;

// Reports all violations, and never changes the value: a body is used as it was signed. `allErrors` costs time for
// hostile input; `limitEffort` bounds it.
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  verbose: true,
  strict: true,
  // Compiling the schema of schemas takes as long as all else in the first validation. A test validates them.
  validateSchema: false,
  strictTypes: false,
  // A choice of `anyOf` requires a property that stands beside it.
  strictRequired: false,
  // 0.07 is a multiple of 0.01, although not exactly in floating-point arithmetic.
  multipleOfPrecision: 9,
});
formats.default(ajv, ['email', 'uri', 'date']);
// The format of ajv-formats also accepts `urn:uuid:`.
ajv.addFormat('uuid', uuidForm);
for (const [format, { pattern: _pattern, ...rule }] of Object.entries(valueRules))
  ajv.addFormat(format, rule);

// For agents. They say nothing about which values are valid.
ajv.addVocabulary(['x-agents-send', 'x-personal-data', 'x-untrusted']);

// Another name of a field, see `Alias` of the protocol.
ajv.addKeyword({
  keyword: 'x-alias-of',
  schemaType: 'string',
  validate: (name: string, value: unknown, schema?: SchemaObject, context?: DataValidationCxt) =>
    isSameValue(schema ?? {}, value, context?.parentData[name]),
});

/** Whether two fields with the same schema say the same. A field that is absent contradicts nothing. */
function isSameValue(
  { format, pattern }: Readonly<Record<string, unknown>>,
  one: unknown,
  other: unknown,
): boolean {
  if (other === undefined || isDeepStrictEqual(one, other)) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (format === 'uuid') return one.toLowerCase() === other.toLowerCase();
  // PT and PRT are the same country.
  return pattern === textPatterns.countryCode.pattern && readCountryCode(one) === readCountryCode(other);
}

/**
 * Validates by a schema, which is compiled when the first value arrives. Compiling the schemas of all operations would
 * take a seventh of the time that the service needs to start.
 */
export function compileValidator(schema: TObject, describe: Describe = describeIssue): Validate {
  let validate: Validate | null = null;
  return (value) => {
    validate ??= compileNow(schema, describe);
    return validate(value);
  };
}

function compileNow(schema: TObject, describe: Describe): Validate {
  const validate = compileOnce(schema);
  return (value) => (validate(value) ? [] : describeErrors(validate.errors ?? [], describe));
}

const compiled = new WeakMap<TObject, ValidateFunction>();

/** Several operations have the same schema, and the OpenAPI document validates its examples with it. */
function compileOnce(schema: TObject): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = ajv.compile(limitEffort(completePatterns(schema)));
  compiled.set(schema, validate);
  return validate;
}

function describeErrors(errors: readonly ErrorObject[], describe: Describe): string[] {
  const enums = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  const issues = new Set<string>();
  for (const error of errors) {
    // A response reports no more, and a body may contain thousands.
    if (issues.size === maximumIssues) break;
    if (isTelling(error, enums)) issues.add(describe(error));
  }
  return [...issues];
}

function isTelling({ keyword, instancePath, schemaPath }: ErrorObject, enums: ReadonlySet<string>): boolean {
  return (
    keyword !== 'if' &&
    keyword !== 'anyOf' &&
    // Another error says what is wrong with the name.
    keyword !== 'propertyNames' &&
    !isAlias.test(schemaPath) &&
    // "must be one of …" says all there is to say about an enumeration.
    (keyword !== 'type' || !enums.has(instancePath))
  );
}

/** The place of a field that may be sent in place of the first choice. The issue names the first choice only. */
const isAlias = /\/anyOf\/[1-9]\d*\/required$/;
