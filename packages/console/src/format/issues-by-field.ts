import { ValidationError } from '@keyfront/sdk';
import { explainProblem } from './explain-error.ts';

export interface FieldIssues {
  /** The first issue of each field, without the name of the field. */
  readonly byField: ReadonlyMap<string, string>;
  /** Whether the error says something that stands at no field, so that it must be shown as a whole. */
  readonly hasOthers: boolean;
}

/**
 * Sorts the sentences of an error by the field of the form that each begins with: `email must be an email`. An issue inside a field,
 * such as `eventTypes.1 must be a type`, belongs to the field.
 */
export function issuesByField(error: Error | null, fields: readonly string[]): FieldIssues {
  const byField = new Map<string, string>();
  if (!(error instanceof ValidationError)) return { byField, hasOthers: error !== null };
  let hasOthers = error.issues.length === 0;
  for (const issue of error.issues) {
    const [path = '', ...words] = issue.split(' ');
    const field = fields.find((name) => path === name || path.startsWith(`${name}.`));
    if (field === undefined) hasOthers = true;
    else if (!byField.has(field))
      byField.set(field, explainProblem([...describeRest(path, field), ...words].join(' ')));
  }
  return { byField, hasOthers };
}

/** Which part of the field the issue is about: the second entry of a list is `entry 2`. */
function describeRest(path: string, field: string): string[] {
  const rest = path.slice(field.length + 1);
  if (rest === '') return [];
  return [/^\d+$/.test(rest) ? `entry ${Number(rest) + 1}` : rest];
}
