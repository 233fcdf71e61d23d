import { ValidationError } from '@keyfront/sdk';

export interface FieldIssues {
  /** The first issue of each field, without the name of the field. */
  readonly byField: ReadonlyMap<string, string>;
}

/** Sorts the sentences of a validation error by the field that each begins with: `email must be an email`. */
export function issuesByField(error: unknown): FieldIssues {
  const byField = new Map<string, string>();
  if (error instanceof ValidationError) {
    for (const issue of error.issues) {
      const [field = '', ...words] = issue.split(' ');
      if (!byField.has(field)) byField.set(field, words.join(' '));
    }
  }
  return { byField };
}
