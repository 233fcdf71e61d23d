// PostgreSQL stores no NUL, and a lone surrogate has no UTF-8 encoding.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** One issue for each string in the value that cannot be stored. */
export function findUnstorableText(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    return unstorable.test(value) ? [`${path || 'body'} must not contain NUL or unpaired surrogates`] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (unstorable.test(name))
      return [`${path || 'body'} must not contain NUL or unpaired surrogates in a name`];
    return findUnstorableText(inner, path ? `${path}.${name}` : name);
  });
}
