import { expect, it } from 'vitest';
import { buildLazySerializers } from './lazy-serializers.ts';

it('writes a value that may be null without validating it', () => {
  const compile = buildLazySerializers({}, {});
  const schema = {
    type: 'object',
    properties: { name: { 'x-mark': 'name', anyOf: [{ type: 'string', minLength: 5 }, { type: 'null' }] } },
  };
  const serialize = compile({ schema, method: 'GET', url: '/', httpStatus: '200' });
  expect(serialize({ name: 'Ada' })).toBe('{"name":"Ada"}');
  expect(serialize({ name: null })).toBe('{"name":null}');
});
