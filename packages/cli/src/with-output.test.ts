import { describe, expect, it } from 'vitest';
import { createHarness, success } from '../test/cli-harness.ts';

const failingWith = (code: string) => Object.assign(new Error(`${code}: failed, write`), { code });

describe.each([
  ['help', ['--help']],
  ['a completion script', ['completion', 'bash']],
  ['a response', ['get', '/planets']],
  ['profiles', ['profiles', '--json']],
  ['a JSON export', ['orders', 'export', '--json', '--quiet']],
])('standard output that cannot be written, with %s', (_name, args) => {
  const respond = () =>
    success({
      orders: [],
      pageMetaDto: { pageCount: 0, itemCount: 0, hasNextPage: false, nextCursor: null },
    });

  it('is an error with its reason', async () => {
    const { code, stderr } = await createHarness({ stdoutError: failingWith('ENOSPC'), respond }).run(
      ...args,
    );
    const message = 'Cannot write to standard output: no space left on the disk';
    const json = JSON.stringify({ error: { message, exitCode: 1 } });
    expect([code, stderr]).toEqual([1, `${args.includes('--json') ? json : `error: ${message}`}\n`]);
  });

  it('is no error if its reader has closed it', async () => {
    const { code, stderr } = await createHarness({ stdoutError: failingWith('EPIPE'), respond }).run(...args);
    expect([code, stderr]).toEqual([0, '']);
  });
});

it('fails at once if the command is still at work', async () => {
  const harness = createHarness({
    stdoutError: failingWith('EIO'),
    respond: () => new Promise(() => {}),
  });
  // The first check sends no request and prints its result. The second one waits for a response.
  const { code, stderr } = await harness.run('doctor');
  expect([code, stderr]).toEqual([1, 'error: Cannot write to standard output: input/output error\n']);
});
