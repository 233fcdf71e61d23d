import { momentFormat, readMoment, uuidForm } from '@keyfront/protocol';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { validationIssue } from './validation-issues.ts';

/** Gives the sentences for every rule that a value breaks: none when it is valid. */
export type Validate = (value: unknown) => string[];

// All rules at once, and nothing changed on the way: a body is taken as it was signed. `allErrors` costs work for
// hostile input; the limit of the body and the limits of the lists in the schemas bound it.
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  strict: true,
  strictTypes: false,
  // 0.07 is a multiple of 0.01, though not quite as floats have it.
  multipleOfPrecision: 9,
});
formats.default(ajv, ['email', 'uri', 'date-time', 'date']);
// The format of ajv-formats takes `urn:uuid:` too.
ajv.addFormat('uuid', uuidForm);
ajv.addFormat(momentFormat, (text) => text === '' || readMoment(text) !== null);

/** Compiles a schema once, at the start. */
export function compileValidator(schema: TSchema): Validate {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return [...new Set((validate.errors ?? []).map(validationIssue))];
  };
}
