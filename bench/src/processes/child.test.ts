import { expect, it } from 'vitest';
import { startChild } from './child.ts';

it('ends a child that has ended already', async () => {
  const child = startChild<object, object>('missing.js');
  await expect(child.run({})).rejects.toThrow('exited with code 1');
  await child.end();
});
