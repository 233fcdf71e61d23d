import { describe, expect, it } from 'vitest';
import { createHarness, failure } from '../test/cli-harness.ts';

const errorOf = async (args: readonly string[], respond = () => failure(500, 'No')) => {
  const { code, stdout, stderr } = await createHarness({ respond }).run(...args);
  expect([stdout, stderr.split('\n').length]).toEqual(['', 2]);
  return { code, ...JSON.parse(stderr).error };
};

describe('with --json, an error is JSON', () => {
  it.each([
    [['clients', 'list', '--json', '--nope'], "unknown option '--nope'"],
    [['clients', 'list', '--json', '--limit', 'x'], "option '--limit <count>' argument 'x' is invalid."],
    [['orders', 'get', '--json'], "missing required argument 'order-id'"],
    [['clints', '--json'], "unknown command 'clints' (Did you mean clients?)"],
    [['completion', 'bash', '--json'], "unknown option '--json'"],
  ])('about the usage: %j', async (args, message) => {
    expect(await errorOf(args)).toEqual({ code: 2, exitCode: 2, message: expect.stringContaining(message) });
  });

  it('of this program', async () => {
    expect(await errorOf(['--verbose', 'get', '/planets', '--json', '-q', 'take'])).toEqual({
      code: 2,
      exitCode: 2,
      message: 'Invalid query parameter "take". Write it as name=value.',
    });
  });

  it('of the service, with its code', async () => {
    const respond = () => failure(403, 'Cart is empty', { code: 'CART_EMPTY' });
    expect(await errorOf(['post', '/dapp/orders', '--json'], respond)).toMatchObject({
      exitCode: 4,
      code: 'CART_EMPTY',
      status: 403,
      message: 'Cart is empty (CART_EMPTY)',
    });
  });

  it('of a validation, with the fields of the API', async () => {
    const data = ['clientId must be a UUID'];
    const respond = () => failure(400, 'Validation failed', { data, code: 'VALIDATION_FAILED' });
    expect(await errorOf(['orders', 'list', '--client-id', '7', '--json'], respond)).toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 400,
      message: '--client-id must be a UUID',
      issues: data,
    });
  });

  it('of credentials, with the reason', async () => {
    const respond = () =>
      failure(401, 'User is not authorized', { code: 'API_KEY_UNKNOWN', reason: 'the key is not known' });
    expect(await errorOf(['get', '/planets', '--json'], respond)).toMatchObject({
      exitCode: 3,
      status: 401,
      reason: 'the key is not known',
    });
  });
});

it('prints help and the version as ever', async () => {
  const { code, stdout, stderr } = await createHarness().run('orders', 'get', '--json', '--help');
  expect([code, stderr, stdout.startsWith('Usage: keyfront orders get')]).toEqual([0, '', true]);
});

it('ignores --json after the end of the options', async () => {
  const { stderr } = await createHarness().run('get', '--', '--json', 'x', 'y');
  expect(stderr).toMatch(/^error: too many arguments/);
});
