import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { BodyMemory } from '@keyfront/body-memory';
import { bodyLimitOf, operationList } from '@keyfront/protocol';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RawConnection, type RawResponse } from '../fuzz/src/raw-connection.ts';
import { createRateLimits } from '../packages/server/src/limits/rates/rate-limits.ts';
import type { OperationRouter } from '../packages/server/src/pipeline/operation-router.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { sampleLimits } from './support/sample-limits.ts';
import { noLimits, startTestApp, testRouter } from './support/test-app.ts';
import { testOperation } from './support/test-operation.ts';
import { until } from './support/until.ts';

const body = '{"name":"Ada"}';
const bodyMemory = new BodyMemory({ maxBytesPerWallet: 100_000, maxBytes: 150_000 });
let service: GuardedApp;
let privateKey: KeyObject;

beforeAll(async () => {
  const addRoutes = (router: OperationRouter) => {
    const definition = {
      bodyLimitBytes: 100_000,
      body: Type.Object({ name: Type.String() }),
      response: Type.Object({ name: Type.String() }),
    } as const;
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      for (const access of ['credential', 'jwt', 'administrator'] as const) {
        const path = `/test/bodies/${access}`;
        router.add(
          testOperation({ ...definition, method, path, access, id: `${method}${access}` }),
          (call) => call.body,
        );
      }
    }
  };
  service = await startGuardedApp(addRoutes, noLimits, { bodyMemory });
  privateKey = createPrivateKey(readFileSync(service.key.file));
});
afterAll(() => service.close());

type Headers = Readonly<Record<string, string>>;

/** Sends the head of a request with a body, and not the body. */
async function sendHead(
  method: string,
  path: string,
  headers: Headers,
): Promise<RawResponse & { rest: RawConnection }> {
  const connection = new RawConnection({ port: service.port });
  onTestFinished(() => connection.close());
  const lines = Object.entries({ host: 'a', 'content-type': 'application/json', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const response = await connection.exchange(
    `${method} /api/v1/test/bodies/${path} HTTP/1.1\r\n${head}\r\n\r\n`,
  );
  return { ...response, rest: connection };
}

const readJson = ({ body: bytes }: RawResponse) => JSON.parse(bytes.toString());
const signatureOf = (payload: string, key: KeyObject = privateKey) =>
  sign('sha256', Buffer.from(payload), key).toString('base64');
const signed = (): Headers => ({
  'x-auth-apikey': service.key.apiKey,
  'x-auth-signature': signatureOf(body),
});

describe('a body', () => {
  const cases: [string, string, () => Headers, string][] = [
    ['no credential', 'credential', () => ({}), 'CREDENTIALS_MISSING'],
    ['no signature', 'credential', () => ({ 'x-auth-apikey': service.key.apiKey }), 'CREDENTIALS_MISSING'],
    [
      'a key that is none',
      'credential',
      () => ({ ...signed(), 'x-auth-apikey': 'bm9uZQ==' }),
      'API_KEY_MALFORMED',
    ],
    [
      'a signature that is none',
      'credential',
      () => ({ ...signed(), 'x-auth-signature': 'eA==' }),
      'SIGNATURE_MALFORMED',
    ],
    ['an invalid token', 'credential', () => ({ authorization: 'Bearer nonsense' }), 'TOKEN_INVALID'],
    ['no token', 'jwt', () => ({}), 'CREDENTIALS_MISSING'],
    ['a signature in place of a token', 'jwt', signed, 'TOKEN_REQUIRED'],
    ['an invalid token', 'jwt', () => ({ authorization: 'Bearer nonsense' }), 'TOKEN_INVALID'],
    ['an invalid token', 'administrator', () => ({ authorization: 'Bearer nonsense' }), 'TOKEN_INVALID'],
    ['no token', 'administrator', () => ({ authorization: 'Basic YTpi' }), 'TOKEN_INVALID'],
  ];
  it.each(cases)('is not waited for with %s (%s)', async (_what, path, headers, code) => {
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      for (const length of [{ 'content-length': '100000' }, { 'transfer-encoding': 'chunked' }]) {
        const response = await sendHead(method, path, { ...length, ...headers() });
        expect(response.status).toBe(401);
        expect(readJson(response)).toMatchObject({ success: false, code });
        expect(response.headers.get('www-authenticate')).toMatch(/^(Signature|Bearer) realm="keyfront"/);
      }
    }
  });

  it('is asked for with 100 only if the headers are valid', async () => {
    const expecting = { expect: '100-continue', 'content-length': String(body.length) };
    const refused = await sendHead('POST', 'credential', expecting);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('connection')).toBe('close');

    const socket = connect(service.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const lines = Object.entries({
      host: 'a',
      'content-type': 'application/json',
      ...expecting,
      ...signed(),
    });
    const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    socket.write(`POST /api/v1/test/bodies/credential HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('is accepted with a valid signature and with a valid token', async () => {
    const token = await service.signIn(service.ada);
    const length = { 'content-length': String(body.length) };
    for (const headers of [signed(), { authorization: `Bearer ${token}` }]) {
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        const connection = new RawConnection({ port: service.port });
        const lines = Object.entries({
          host: 'a',
          'content-type': 'application/json',
          ...length,
          ...headers,
        });
        const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
        const response = await connection.exchange(
          `${method} /api/v1/test/bodies/credential HTTP/1.1\r\n${head}\r\n\r\n${body}`,
        );
        connection.close();
        expect([method, response.status, readJson(response).data]).toEqual([method, 200, { name: 'Ada' }]);
      }
    }
  });
});

it('are passed on one in each turn of the event loop if they are large, and a small one of the same caller at once', async () => {
  const memory = new BodyMemory();
  let turn = 0;
  const handled: { readonly length: number; readonly turn: number }[] = [];
  const app = await startTestApp({ bodyMemory: memory }, (instance, database) => {
    const definition = { method: 'POST', path: '/test/public', id: 'public', access: 'public' } as const;
    const sizes = { bodyLimitBytes: 100_000, body: Type.Object({ text: Type.String() }) } as const;
    testRouter(instance, database).add(
      testOperation({ ...definition, ...sizes, response: Type.Null() }),
      ({ body: { text } }) => {
        handled.push({ length: text.length, turn });
        return null;
      },
    );
  });
  onTestFinished(() => app.close());
  let isCounting = true;
  const countTurns = () => {
    turn++;
    if (isCounting) setImmediate(countTurns);
  };
  countTurns();
  onTestFinished(() => {
    isCounting = false;
  });
  // All but the last byte, so that all bodies are complete at the same moment.
  const begin = (length: number) => {
    const content = JSON.stringify({ text: 'x'.repeat(length) });
    const socket = connect(app.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = 'POST /api/v1/test/public HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
    socket.write(`${head}content-length: ${content.length}\r\n\r\n${content.slice(0, -1)}`);
    return { socket, last: content.slice(-1), received: content.length - 1 };
  };
  const uploads = [...Array.from({ length: 20 }, () => begin(60_000)), begin(10)];
  const received = uploads.reduce((sum, upload) => sum + upload.received, 0);
  await until(
    () => memory.bytes,
    (bytes) => bytes === received,
  );
  for (const { socket, last } of uploads) socket.write(last);
  await until(
    () => handled.length,
    (count) => count === uploads.length,
  );
  const turns = handled.filter(({ length }) => length === 60_000).map((each) => each.turn);
  // One when it arrives, and one when the turn ends.
  for (const each of turns) expect(turns.filter((other) => other === each).length).toBeLessThanOrEqual(2);
  expect(handled.findIndex(({ length }) => length === 10)).toBeLessThanOrEqual(3);
});

describe('the memory of bodies', () => {
  it('is bounded for the public operations of each address, and given back', async () => {
    const memory = new BodyMemory({ maxBytesPerAddress: 100_000 });
    const app = await startTestApp({ bodyMemory: memory, trustProxy: ['loopback'] }, (instance, database) => {
      const definition = {
        method: 'POST',
        path: '/test/public',
        id: 'public',
        access: 'public',
        bodyLimitBytes: 100_000,
      } as const;
      testRouter(instance, database).add(testOperation({ ...definition, response: Type.Null() }), () => null);
    });
    onTestFinished(() => app.close());
    const head = 'POST /api/v1/test/public HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
    const upload = (bytes: number): Socket => {
      const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write(`${head}content-length: 90000\r\n\r\n${'x'.repeat(bytes)}`);
      return socket;
    };
    const send = async (address: string, content: string) => {
      const connection = new RawConnection({ port: app.port });
      onTestFinished(() => connection.close());
      const headers = `x-forwarded-for: ${address}\r\ncontent-length: ${content.length}`;
      return connection.exchange(`${head}${headers}\r\n\r\n${content}`);
    };
    const held = [upload(45_000), upload(45_000)];
    await until(
      () => memory.bytes,
      (bytes) => bytes === 90_000,
    );
    const large = JSON.stringify('x'.repeat(20_000));
    const refused = await send('127.0.0.1', large);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(readJson(refused)).toMatchObject({ success: false, code: 'OVERLOADED' });
    // Another address has memory of its own.
    expect((await send('192.0.2.1', large)).status).not.toBe(503);
    for (const socket of held) socket.destroy();
    await until(
      () => memory.bytes,
      (bytes) => bytes === 0,
    );
    expect((await send('127.0.0.1', large)).status).not.toBe(503);
    await until(
      () => memory.bytes,
      (bytes) => bytes === 0,
    );
  });

  it('is not kept from another holder by bodies whose signature nobody has verified', async () => {
    const head = (headers: Headers, length: number) =>
      `POST /api/v1/test/bodies/credential HTTP/1.1\r\n${Object.entries({
        host: 'a',
        'content-type': 'application/json',
        'content-length': String(length),
        ...headers,
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`;
    const token = await service.signIn(service.ben);
    const refused: string[] = [];
    // The wallet holds all that it may, and leaves less than the other one needs.
    for (let n = 0; n < 4; n++) {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.on('data', (chunk) => refused.push(String(chunk).slice(0, 12)));
      socket.write(`${head(signed(), 90_000)}${'x'.repeat(25_000)}`);
    }
    await until(
      () => bodyMemory.bytes,
      (bytes) => bytes === 100_000,
    );
    const connection = new RawConnection({ port: service.port });
    onTestFinished(() => connection.close());
    const large = JSON.stringify({ name: 'x'.repeat(70_000) });
    const response = await connection.exchange(
      head({ authorization: `Bearer ${token}` }, large.length) + large,
    );
    expect(response.status).toBe(200);
    // The slowest of the others made room.
    await until(
      () => refused,
      ({ length }) => length === 1,
    );
    expect(refused).toEqual(['HTTP/1.1 503']);
  });

  it('is bounded for each wallet, however its credential is written', async () => {
    const token = await service.signIn(service.ada);
    const { 'x-auth-apikey': apiKey = '', ...signature } = signed();
    const spellings: [string, Headers, Headers][] = [
      ['credential', signed(), { 'x-auth-apikey': `"${apiKey}"`, ...signature }],
      ['jwt', { authorization: `Bearer ${token}` }, { authorization: `bearer  ${token}` }],
      [
        'jwt',
        { authorization: `Bearer ${token}` },
        { authorization: `Bearer ${token}`, 'x-auth-apikey': 'made up' },
      ],
    ];
    for (const [path, headers, sameCredential] of spellings) {
      const head = (given: Headers) =>
        Object.entries({ host: 'a', 'content-type': 'application/json', 'content-length': '90000', ...given })
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('');
      const start = `POST /api/v1/test/bodies/${path} HTTP/1.1\r\n`;
      const held = connect(service.port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void held.destroy());
      held.write(`${start}${head(headers)}\r\n${'x'.repeat(89_999)}`);
      await until(
        () => bodyMemory.bytes,
        (bytes) => bytes === 89_999,
      );
      const connection = new RawConnection({ port: service.port });
      const refused = await connection.exchange(`${start}${head(sameCredential)}\r\n${'x'.repeat(90_000)}`);
      connection.close();
      expect([path, refused.status]).toEqual([path, 503]);
      held.destroy();
      await until(
        () => bodyMemory.bytes,
        (bytes) => bytes === 0,
      );
    }
  });
});

describe('the body of an address that has sent too many invalid credentials', () => {
  const start = async () => {
    const counter = new MemoryCounter({ now: () => 0 });
    const limits = createRateLimits({ counter, enabled: true, policies: sampleLimits });
    const app = await startGuardedApp((router) => {
      const definition = {
        method: 'POST',
        path: '/test/large',
        id: 'large',
        bodyLimitBytes: 100_000,
      } as const;
      const schema = Type.Object({ name: Type.String() });
      router.add(testOperation({ ...definition, body: schema, response: Type.Null() }), () => null);
    }, limits);
    onTestFinished(() => app.close());
    const secretKey = createPrivateKey(readFileSync(app.key.file));
    const exchange = async (headers: Headers, sent: string) => {
      const connection = new RawConnection({ port: app.port });
      onTestFinished(() => connection.close());
      const lines = Object.entries({ host: 'a', 'content-type': 'application/json', ...headers });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return (await connection.exchange(`POST /api/v1/test/large HTTP/1.1\r\n${head}\r\n${sent}`)).status;
    };
    const credentials = (payload: string) => ({
      'x-auth-apikey': app.key.apiKey,
      'x-auth-signature': signatureOf(payload, secretKey),
    });
    const send = (sent: string, payload: string) =>
      exchange({ ...credentials(payload), 'content-length': String(sent.length) }, sent);
    const spend = async () => {
      for (let count = 0; count < sampleLimits.failure.quota; count++)
        expect(await send(body, `wrong ${count}`)).toBe(401);
      expect(await send(body, 'wrong')).toBe(429);
    };
    return { exchange, credentials, send, spend };
  };
  const large = JSON.stringify({ name: 'x'.repeat(20_000) });
  const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;

  it('is not read if it is large', { tags: ['long'] }, async () => {
    const { exchange, credentials, send, spend } = await start();
    expect(await send(large, large)).toBe(200);
    await spend();
    // Nobody sends this body.
    const announced = { ...credentials('x'), 'content-length': String(large.length) };
    expect(await exchange(announced, '')).toBe(429);
    const untold = { ...credentials('x'), 'transfer-encoding': 'chunked' };
    expect(await exchange(untold, chunked)).toBe(429);
    // Not even hashed: the signature of this one would be valid, and was verified before.
    expect(await exchange({ ...credentials(large), 'transfer-encoding': 'chunked' }, chunked)).toBe(429);
  });

  it('is not parsed to find out what was signed, but verified as it was sent', async () => {
    const { send, spend } = await start();
    const spaced = '{ "name": "Ada" }';
    expect(await send(spaced, body)).toBe(200);
    await spend();
    expect(await send(spaced, body)).toBe(429);
    expect(await send(spaced, spaced)).toBe(200);
    expect(await send(body, body)).toBe(200);
  });
});

describe('the body of a public operation', () => {
  const operations = operationList.filter(({ access, body }) => access === 'public' && body !== undefined);

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'is small, and not read when the address has sent too many requests (%s)',
    { tags: ['long'] },
    async (_id, operation) => {
      const { method, path, rateLimit = 'address', example } = operation;
      const bodyLimitBytes = bodyLimitOf(operation);
      expect(bodyLimitBytes).toBeLessThanOrEqual(64 * 1024);
      expect(bodyLimitBytes).toBeGreaterThan(2 * JSON.stringify(example.body).length);
      const counter = new MemoryCounter({ now: () => 0 });
      const limits = createRateLimits({ counter, enabled: true, policies: sampleLimits });
      const app = await startTestApp({ limits, bodyMemory });
      onTestFinished(() => app.close());
      const send = async (length: number) => {
        const connection = new RawConnection({ port: app.port });
        onTestFinished(() => connection.close());
        const headers = `host: a\r\ncontent-type: application/json\r\ncontent-length: ${length}`;
        const head = `${method} /api/v1${path} HTTP/1.1\r\n${headers}\r\n\r\n`;
        return (await connection.exchange(head)).status;
      };
      // None of these sends its body.
      for (let count = 0; count < sampleLimits[rateLimit].quota; count++)
        expect(await send(bodyLimitBytes + 1)).toBe(413);
      expect(await send(10)).toBe(429);
      expect(bodyMemory.bytes).toBe(0);
    },
  );
});
