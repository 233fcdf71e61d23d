import { createHash, createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { address, failure, makePair, openWorld, type SentRequest, success } from '../../test/world.ts';

function isSigned({ headers }: SentRequest, payload: string): boolean {
  const key = createPublicKey(Buffer.from(headers.get('x-auth-apikey') ?? '', 'base64'));
  const signature = Buffer.from(headers.get('x-auth-signature') ?? '', 'base64');
  return verify('sha256', Buffer.from(payload), key, signature);
}

describe('keyfront get', () => {
  it('signs the query as it is sent', async () => {
    const world = openWorld();
    await world.run('get', '/dapp/strains?page=2', '-q', 'search=a b&c=d', '--query', 'take=');
    const [request] = world.requests;
    expect(request).toMatchObject({ method: 'GET', body: '' });
    expect(request?.target).toBe('/dapp/strains?page=2&search=a%20b%26c%3Dd&take=');
    expect(request && isSigned(request, 'page=2&search=a%20b%26c%3Dd&take=')).toBe(true);
  });

  it('signs {} where there is no query, and takes a path without its slash', async () => {
    const world = openWorld();
    await world.run('get', 'planets');
    const [request] = world.requests;
    expect(request?.target).toBe('/planets');
    expect(request && isSigned(request, '{}')).toBe(true);
  });

  const data = { name: 'A "quoted" \u009b31m name', count: -1.5, isTrue: true, none: null, list: [] };

  it('shows the data on several lines, on one with --json', async () => {
    const world = openWorld({ answer: () => success(data) });
    const { stdout } = await world.run('get', '/x');
    expect(stdout).toContain('\n  "count": -1.5,\n');
    expect(JSON.parse(stdout)).toEqual(data);
    const compact = (await world.run('get', '/x', '--json')).stdout;
    expect(compact.trimEnd()).not.toContain('\n');
    expect(JSON.parse(compact)).toEqual(data);
  });

  it('has colours on a terminal only, and none with NO_COLOR; a terminal is never told anything by the data', async () => {
    const { apiKey, secretKey } = makePair();
    const env = { KEYFRONT_URL: address, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey };
    const show = async (more: Record<string, string>) => {
      const world = openWorld({ env: { ...env, ...more }, terminalWidth: 80, answer: () => success(data) });
      return (await world.run('get', '/x')).stdout;
    };
    const coloured = await show({});
    expect(coloured).toContain('\u001b[36m"count"\u001b[39m: \u001b[33m-1.5\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for.
    expect(JSON.parse(coloured.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(data);
    const plain = await show({ NO_COLOR: '1' });
    expect(JSON.parse(plain)).toEqual(data);
    expect(coloured + plain).not.toContain('\u009b');
  });

  it('shows with --verbose what is signed and sent, on stderr, and no secret', async () => {
    const world = openWorld({ answer: () => success('ok', 200, { 'x-request-id': 'r1' }) });
    const { stdout, stderr } = await world.run('get', '/x?a=b', '--verbose');
    expect(stdout).toBe('"ok"\n');
    const hash = createHash('sha256').update('a=b').digest('hex');
    expect(stderr).toContain(`Canonical payload (3 bytes, SHA-256 ${hash}):\na=b\n`);
    expect(stderr).toContain(`> GET ${address}/x?a=b\n`);
    expect(stderr).toContain(`> x-auth-signature: ${world.requests[0]?.headers.get('x-auth-signature')}\n`);
    expect(stderr).toContain('< 200');
    expect(stderr).toContain('< x-request-id: r1\n');
    expect(stderr).not.toContain(world.cli.env.KEYFRONT_SECRET_KEY ?? '?');
  });

  it('sends a token, and never shows it', async () => {
    const world = openWorld({ env: { KEYFRONT_URL: address, KEYFRONT_TOKEN: 'jwt-that-is-secret' } });
    const { stderr } = await world.run('get', '/x', '--verbose');
    expect(world.requests[0]?.headers.get('authorization')).toBe('Bearer jwt-that-is-secret');
    expect(stderr).toContain('> authorization: Bearer (not shown)\n');
    expect(stderr).not.toMatch(/jwt-that|Canonical payload/);
  });
});

describe('keyfront post, patch and delete', () => {
  const body = '{ "clientId" : "42", "amount": 12345678901234567890 }';

  it.each([
    ['post', 'POST'],
    ['patch', 'PATCH'],
  ])('%s sends and signs a body byte by byte as it is given', async (command, method) => {
    const world = openWorld({ input: body });
    const file = join(world.folder, 'body.json');
    writeFileSync(file, body);
    for (const data of [body, `@${file}`, '-']) await world.run(command, '/x', '-d', data);
    expect(world.requests).toHaveLength(3);
    for (const request of world.requests) {
      expect(request).toMatchObject({ method, body, target: '/x' });
      expect(request.headers.get('content-type')).toBe('application/json');
      expect(isSigned(request, body)).toBe(true);
    }
  });

  it('post carries an idempotency key, of its own or the one that is given', async () => {
    const world = openWorld();
    await world.run('post', '/x', '-d', '{}');
    await world.run('post', '/x', '-d', '{}', '--idempotency-key', 'mine');
    const [own, given] = world.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(own).toMatch(/^[0-9a-f-]{36}$/);
    expect(given).toBe('mine');
  });

  it('delete signs {} or its query', async () => {
    const world = openWorld();
    await world.run('delete', '/dapp/carts/1');
    await world.run('delete', '/dapp/carts/1', '-q', 'strainId=2');
    const [first, second] = world.requests;
    expect(first && isSigned(first, '{}')).toBe(true);
    expect(second && isSigned(second, 'strainId=2')).toBe(true);
  });

  it.each([
    [['post', '/x', '-d', '{"a"'], 'The body is not JSON'],
    [['post', '/x', '-d', ''], 'The body is not JSON'],
    [['get', '/x', '-q', 'a'], '"a" is not a query parameter: write it as name=value'],
    [['get', '/x', '-q', '=a'], '"=a" is not a query parameter'],
    [['get'], "missing required argument 'path'"],
    [['get', '/x', '-d', '{}'], "unknown option '-d'"],
  ])('ask for nothing that is written wrongly: %j', async (args, sentence) => {
    const world = openWorld();
    const { code, stdout, stderr } = await world.run(...args);
    expect([code, stdout, world.requests]).toEqual([2, '', []]);
    expect(stderr).toContain(sentence);
  });
});

describe('what the shell is told of an answer', () => {
  it.each([
    [failure(400, 'Validation failed', { data: ['a must be b', 'c is d'] }), 4, 'a must be b; c is d'],
    [failure(401, 'User is not authorized', { reason: 'why' }), 3, 'User is not authorized: why'],
    [failure(403, 'Cart is empty'), 4, 'Cart is empty'],
    [failure(404, 'Order not found'), 4, 'Order not found'],
    [failure(413, 'The body is larger than 1 MiB'), 4, 'The body is larger than 1 MiB'],
    [failure(422, 'This Idempotency-Key was used'), 4, 'This Idempotency-Key was used'],
    [failure(501, 'Not this one'), 5, 'Not this one'],
    [new Response('<html>', { status: 404 }), 5, 'does not come from Keyfront'],
  ])('%#', async (answer, code, sentence) => {
    const world = openWorld({ answer: () => answer });
    const result = await world.run('patch', '/x', '-d', '{}');
    expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(result.stderr).toMatch(/^error: .+\n$/);
  });
});
