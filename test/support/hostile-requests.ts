/** Bodies that no operation takes: what is wrong, the body, and what is said of it. */
export const hostileBodies: readonly (readonly [string, string, string])[] = [
  ['text that is no JSON', '{"name":', 'body must be valid JSON'],
  ['a list', '[]', 'body must be an object'],
  ['null', 'null', 'body must be an object'],
  ['a NUL', '{"name":"A\\u0000"}', 'name must not contain NUL or unpaired surrogates'],
  ['half a surrogate pair', '{"name":"\\ud800"}', 'name must not contain NUL or unpaired surrogates'],
  ['__proto__', '{"name":"A","__proto__":{"number":1}}', 'body must not contain the name __proto__'],
  ['a name that stands twice', '{"name":"A","name":"B"}', 'body must not contain the name "name" twice'],
  [
    'nesting without end',
    `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
];

/** Larger than any operation takes. */
export const tooLargeBody = JSON.stringify({ name: 'A'.repeat(10 * 1024 * 1024) });

/** Queries that no list with pages takes, and what is said of each. */
export const hostilePages: readonly (readonly [string, string])[] = [
  ['take=0', 'take must not be less than 1'],
  ['take=-1', 'take must not be less than 1'],
  ['take=1001', 'take must not be greater than 1000'],
  ['take=1e9', 'take must be an integer number'],
  ['take=1.5', 'take must be an integer number'],
  ['take=1&take=2', 'take must be an integer number'],
  ['limit=1001', 'limit must not be greater than 1000'],
  ['page=0', 'page must not be less than 1'],
  ['page=-1', 'page must not be less than 1'],
  ['page=1&page=2', 'page must be an integer number'],
  ['page=x', 'page must be an integer number'],
  ['page=', 'page must be an integer number'],
  ['page=2147483648', 'page must not be greater than 2147483647'],
  ['page=9007199254740993', 'page must not be greater than 2147483647'],
  ['page=99999999999999999999', 'page must be an integer number'],
];
