import type { Operation } from '@keyfront/protocol';
import type { TObject, TSchema } from 'typebox';

/** The input of a request, read but not validated. */
interface ExampleInput {
  readonly parameters: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Compiles the validation of the service for one operation. The function that it returns lists all issues. */
export type CompileValidator = (operation: Operation) => (input: ExampleInput) => string[];

/** What the service says about an invalid request to this operation: real issues, found by the real validation. */
export function validationExample(operation: Operation, compileValidator: CompileValidator): string[] {
  const { parameters, query, body, example } = operation;
  const validate = compileValidator(operation);
  const valid = {
    parameters: example.parameters ?? {},
    query: example.query ?? {},
    body: example.body ?? {},
  };
  const candidates = [
    ...(body
      ? [
          { ...valid, body: {} },
          { ...valid, body: invalidate(body, valid.body) },
        ]
      : []),
    ...(query
      ? [
          { ...valid, query: {} },
          { ...valid, query: invalidate(query, valid.query) },
        ]
      : []),
    ...(parameters ? [{ ...valid, parameters: invalidate(parameters, valid.parameters) }] : []),
    { ...valid, body: { colour: 'red' } },
  ];
  for (const candidate of candidates) {
    const issues = validate(candidate);
    if (issues.length > 0) return issues;
  }
  return ['idempotency-key should not be empty'];
}

/** The valid value with one field that breaks a rule. */
function invalidate(schema: TObject, valid: object): object {
  for (const [name, property] of Object.entries(schema.properties)) {
    const invalid = invalidValue(property);
    if (invalid !== undefined) return { ...valid, [name]: invalid };
  }
  return valid;
}

function invalidValue(property: TSchema): unknown {
  const rule = property as {
    minimum?: number;
    format?: string;
    pattern?: string;
    enum?: unknown;
  };
  if (rule.minimum !== undefined) return rule.minimum - 1;
  if (rule.format !== undefined || rule.pattern !== undefined || rule.enum !== undefined)
    return 'invalid value';
  return undefined;
}
