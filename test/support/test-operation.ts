import type { Operation } from '@keyfront/protocol';

const defaults = {
  access: 'credential',
  tag: 'Service',
  sdk: 'test.call',
  summary: 'Test',
  status: 200,
  retry: 'safe',
  example: { response: null },
} as const satisfies Partial<Operation>;

type Given = Pick<Operation, 'id' | 'method' | 'path' | 'response'> & Partial<Operation>;

/** An operation that only a test binds. */
export function testOperation<const Definition extends Given>(
  definition: Definition,
): Omit<typeof defaults, keyof Definition> & Definition {
  return { ...defaults, ...definition };
}
