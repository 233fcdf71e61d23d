import { createHash, createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  createHarness,
  failure,
  makeKeyPair,
  type SentRequest,
  success,
} from '../../test/cli-harness.ts';
import type { Context } from '../context.ts';

/** Whether a request has a bound signature of the key in the environment, over its method, its URL and this body. */
function isSigned({ env }: Context, { method, target, headers }: SentRequest, body = ''): boolean {
  const [, params = ''] = /^keyfront=(.+)$/.exec(headers.get('signature-input') ?? '') ?? [];
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const base = [
    `"@method": ${method}`,
    `"@target-uri": ${baseUrl}${target}`,
    ...(body === '' ? [] : [`"content-digest": ${digest}`]),
    `"@signature-params": ${params}`,
  ].join('\n');
  const [, signature = ''] = /^keyfront=:(.+):$/.exec(headers.get('signature') ?? '') ?? [];
  const key = createPublicKey(Buffer.from(env.KEYFRONT_API_KEY ?? '', 'base64'));
  const expectedDigest = body === '' ? null : digest;
  return (
    headers.get('content-digest') === expectedDigest &&
    /;nonce="[^"]+"$/.test(params) === (method !== 'GET') &&
    verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'))
  );
}

it('names two keys that are not a pair, and sends nothing', async () => {
  const env = {
    KEYFRONT_URL: baseUrl,
    KEYFRONT_API_KEY: makeKeyPair().apiKey,
    KEYFRONT_SECRET_KEY: makeKeyPair().secretKey,
  };
  const harness = createHarness({ env });
  expect(await harness.run('get', '/planets')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: The secret key does not match the API key. Use both keys of the same pair.\n',
  });
  expect(harness.requests).toEqual([]);
});

describe('keyfront get', () => {
  it('signs the URL exactly as it is sent', async () => {
    const harness = createHarness();
    await harness.run('get', '/dapp/strains?page=2', '-q', 'search=a b&c=d', '--query', 'take=');
    const [request] = harness.requests;
    expect(request).toMatchObject({ method: 'GET', body: '' });
    expect(request?.target).toBe('/dapp/strains?page=2&search=a%20b%26c%3Dd&take=');
    expect(request && isSigned(harness.context, request)).toBe(true);
  });

  it('accepts a path without a leading slash', async () => {
    const harness = createHarness();
    await harness.run('get', 'planets');
    const [request] = harness.requests;
    expect(request?.target).toBe('/planets');
    expect(request && isSigned(harness.context, request)).toBe(true);
  });

  const data = { name: 'A "quoted" \u009b31m name', count: -1.5, isTrue: true, none: null, list: [] };

  it('prints indented JSON, or one line with --json', async () => {
    const harness = createHarness({ respond: () => success(data) });
    const { stdout } = await harness.run('get', '/x');
    expect(stdout).toContain('\n  "count": -1.5,\n');
    expect(JSON.parse(stdout)).toEqual(data);
    const compact = (await harness.run('get', '/x', '--json')).stdout;
    expect(compact.trimEnd()).not.toContain('\n');
    expect(JSON.parse(compact)).toEqual(data);
  });

  it('colors JSON on a terminal unless NO_COLOR is set, and never prints control characters', async () => {
    const { apiKey, secretKey } = makeKeyPair();
    const env = { KEYFRONT_URL: baseUrl, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey };
    const show = async (more: Record<string, string>) => {
      const harness = createHarness({
        env: { ...env, ...more },
        terminalWidth: 80,
        respond: () => success(data),
      });
      return (await harness.run('get', '/x')).stdout;
    };
    const colored = await show({});
    expect(colored).toContain('\u001b[36m"count"\u001b[39m: \u001b[33m-1.5\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes the colors.
    expect(JSON.parse(colored.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(data);
    const plain = await show({ NO_COLOR: '1' });
    expect(JSON.parse(plain)).toEqual(data);
    expect(colored + plain).not.toContain('\u009b');
  });

  it('prints the signed text and the headers on stderr with --verbose, but no secret', async () => {
    const harness = createHarness({ respond: () => success('ok', 200, { 'x-request-id': 'r1' }) });
    const { stdout, stderr } = await harness.run('get', '/x?a=b', '--verbose');
    expect(stdout).toBe('"ok"\n');
    const [, hash, base = ''] =
      /^Signature base \(\d+ bytes, SHA-256 ([0-9a-f]{64})\):\n([^>]+)\n> GET/.exec(stderr) ?? [];
    expect(createHash('sha256').update(base).digest('hex')).toBe(hash);
    expect(base).toContain(`"@target-uri": ${baseUrl}/x?a=b\n`);
    expect(stderr).toContain(`> GET ${baseUrl}/x?a=b\n`);
    expect(stderr).toContain(`> signature: ${harness.requests[0]?.headers.get('signature')}\n`);
    expect(stderr).toContain('< 200');
    expect(stderr).toContain('< x-request-id: r1\n');
    expect(stderr).not.toContain(harness.context.env.KEYFRONT_SECRET_KEY ?? '?');
  });

  it('sends a token and never prints it', async () => {
    const harness = createHarness({ env: { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: 'jwt-that-is-secret' } });
    const { stderr } = await harness.run('get', '/x', '--verbose');
    expect(harness.requests[0]?.headers.get('authorization')).toBe('Bearer jwt-that-is-secret');
    expect(stderr).toContain('> authorization: Bearer [hidden]\n');
    expect(stderr).not.toMatch(/jwt-that|Canonical payload|Signature base/);
  });
});

describe('keyfront post, patch, put and delete', () => {
  const body = '{ "clientId" : "42", "amount": 12345678901234567890 }';

  it.each([
    ['post', 'POST'],
    ['patch', 'PATCH'],
    ['put', 'PUT'],
  ])('%s sends and signs the exact bytes of a body', async (command, method) => {
    const harness = createHarness({ stdin: body });
    const file = join(harness.folder, 'body.json');
    writeFileSync(file, body);
    for (const data of [body, `@${file}`, '-']) await harness.run(command, '/x', '-d', data);
    expect(harness.requests).toHaveLength(3);
    for (const request of harness.requests) {
      expect(request).toMatchObject({ method, body, target: '/x' });
      expect(request.headers.get('content-type')).toBe('application/json');
      expect(isSigned(harness.context, request, body)).toBe(true);
    }
  });

  it('build a JSON object from fields', async () => {
    const harness = createHarness();
    const fields = ['name=Ada = x', 'count:=2', 'tags:=["a"]', 'empty='].flatMap((field) => ['-f', field]);
    await harness.run('patch', '/x', ...fields);
    const [request] = harness.requests;
    expect(JSON.parse(request?.body ?? '')).toEqual({ name: 'Ada = x', count: 2, tags: ['a'], empty: '' });
    expect(request && isSigned(harness.context, request, request.body)).toBe(true);
  });

  it('post sends a generated or a given idempotency key', async () => {
    const harness = createHarness();
    await harness.run('post', '/x', '-d', '{}');
    await harness.run('post', '/x', '-d', '{}', '--idempotency-key', 'mine');
    const [own, given] = harness.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(own).toMatch(/^[0-9a-f-]{36}$/);
    expect(given).toBe('mine');
  });

  it('delete signs the URL with its query', async () => {
    const harness = createHarness();
    await harness.run('delete', '/dapp/carts/1');
    await harness.run('delete', '/dapp/carts/1', '-q', 'strainId=2');
    const [first, second] = harness.requests;
    expect(first && isSigned(harness.context, first)).toBe(true);
    expect(second?.target).toBe('/dapp/carts/1?strainId=2');
    expect(second && isSigned(harness.context, second)).toBe(true);
  });

  it.each([
    ['y\n', 0, 1],
    ['\n', 1, 0],
  ])('delete asks for confirmation on a terminal: %j', async (stdin, code, requestCount) => {
    const harness = createHarness({ stdin, isInteractive: true });
    const result = await harness.run('delete', '/dapp/carts/1');
    expect(result.stderr).toContain('Send DELETE /dapp/carts/1? [y/N] ');
    expect([result.code, harness.requests.length]).toEqual([code, requestCount]);
    expect((await harness.run('delete', '/dapp/carts/1', '--yes')).stderr).toBe('');
  });

  it('name a folder that is given as the body', async () => {
    const harness = createHarness();
    expect(await harness.run('post', '/x', '-d', `@${harness.folder}`)).toMatchObject({
      code: 1,
      stderr: `error: ${harness.folder}: is a directory\n`,
    });
  });

  it.each([
    [['post', '/x', '-d', '{"a"'], 'The request body is not valid JSON'],
    [['post', '/x', '-d', ''], 'The request body is not valid JSON'],
    [['get', '/x', '-q', 'a'], 'Invalid query parameter "a". Write it as name=value.'],
    [['get', '/x', '-q', '=a'], 'Invalid query parameter "=a"'],
    [['get'], "missing required argument 'path'"],
    [['get', '/x', '-d', '{}'], "unknown option '-d'"],
    [['post', '/x', '-d', '{}', '-f', 'a=b'], 'Use either --data or --field'],
    [['post', '/x', '-f', 'a'], 'Invalid field "a". Write it as name=value or name:=json.'],
    [['post', '/x', '-f', 'a:=b'], 'The value of "a" is not valid JSON: b'],
  ])('report invalid usage and send nothing: %j', async (args, message) => {
    const harness = createHarness();
    const { code, stdout, stderr } = await harness.run(...args);
    expect([code, stdout, harness.requests]).toEqual([2, '', []]);
    expect(stderr).toContain(message);
  });
});

describe('the exit code', () => {
  it.each([
    [failure(400, 'Validation failed', { data: ['a must be b', 'c is d'] }), 4, 'a must be b; c is d'],
    [failure(401, 'User is not authorized', { reason: 'why' }), 3, 'User is not authorized: why'],
    [failure(403, 'Cart is empty', { code: 'CART_EMPTY' }), 4, 'Cart is empty (CART_EMPTY)\n'],
    [failure(404, 'Order not found'), 4, 'Order not found\n'],
    [failure(413, 'The body is larger than 1 MiB'), 4, 'The body is larger than 1 MiB'],
    [failure(422, 'This Idempotency-Key was used'), 4, 'This Idempotency-Key was used'],
    [failure(501, 'Not this one'), 5, 'Not this one'],
    [new Response('<html>', { status: 404 }), 5, 'or the service URL is the URL of another service'],
  ])('depends on the response: %#', async (response, code, message) => {
    const harness = createHarness({ respond: () => response.clone() });
    const result = await harness.run('patch', '/x', '-d', '{}');
    expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).toMatch(/^error: .+\n$/);
  });

  it('comes with a link to the documentation on a terminal', async () => {
    const respond = () => failure(403, 'Cart is empty', { code: 'CART_EMPTY' });
    const { stderr } = await createHarness({ respond, terminalWidth: 80 }).run('post', '/dapp/orders');
    expect(stderr).toContain('See http://keyfront.test/docs/guides/errors#CART_EMPTY');
  });
});
