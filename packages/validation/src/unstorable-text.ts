import { maximumIssues } from '@keyfront/protocol';

// PostgreSQL stores no NUL, and a lone surrogate has no UTF-8 encoding.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** One issue for each string in the value that cannot be stored, up to the number that a response reports. */
export function findUnstorableText(value: unknown): string[] {
  const issues: string[] = [];
  collectIssues(value, [], issues);
  return issues;
}

/** `path` is joined only for an issue: a body may contain hundreds of thousands of values. */
function collectIssues(value: unknown, path: (string | number)[], issues: string[]): void {
  if (issues.length >= maximumIssues) return;
  if (typeof value === 'string') {
    if (unstorable.test(value))
      issues.push(`${formatPath(path)} must not contain NUL or unpaired surrogates`);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) collectBelow(index, value[index], path, issues);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (unstorable.test(name)) {
        issues.push(`${formatPath(path)} must not contain NUL or unpaired surrogates in a name`);
      } else collectBelow(name, inner, path, issues);
    }
  }
}

function collectBelow(
  name: string | number,
  inner: unknown,
  path: (string | number)[],
  issues: string[],
): void {
  // Numbers, booleans and null are most of a large body.
  if (typeof inner !== 'string' && (typeof inner !== 'object' || inner === null)) return;
  path.push(name);
  collectIssues(inner, path, issues);
  path.pop();
}

function formatPath(path: readonly (string | number)[]): string {
  return path.join('.') || 'body';
}
