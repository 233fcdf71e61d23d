import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { failure } from '@keyfront/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RawConnection, type RawResponse } from '../../../../fuzz/src/raw-connection.ts';
import { startTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/until.ts';
import type { AppDependencies } from '../boot/app.ts';
import { defaultTimeouts } from './server-options.ts';

const timeouts = { ...defaultTimeouts, headersMs: 100, requestMs: 200, checkIntervalMs: 20 };
const get = 'GET /health/live HTTP/1.1\r\nhost: shop.example\r\n\r\n';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function start(dependencies: Partial<AppDependencies> = {}): Promise<TestApp> {
  const started = await startTestApp(dependencies);
  opened.push(started);
  return started;
}

/** A connection whose client never closes its side. */
async function openSocket({ port }: TestApp): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  opened.push({ close: () => socket.destroy() });
  await once(socket, 'connect');
  return socket;
}

/** Everything that the server sends until it closes its side. */
async function readAll(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'end');
  return received;
}

function openConnection({ port }: TestApp): RawConnection {
  const connection = new RawConnection({ port });
  opened.push(connection);
  return connection;
}

const countConnections = ({ app }: TestApp) =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const readJson = ({ body }: RawResponse) => JSON.parse(body.toString());

describe('the connections of one address', () => {
  it('are refused beyond the limit, in the envelope, and accepted again when others have closed', async () => {
    const limited = await start({ maxConnectionsPerAddress: 3 });
    const silent = [await openSocket(limited), await openSocket(limited), await openSocket(limited)];
    await until(
      () => countConnections(limited),
      (count) => count === 3,
    );
    const refused = await openConnection(limited).exchange('');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(readJson(refused)).toEqual(failure('RATE_LIMITED', 'Too many connections from this address'));
    await until(
      () => countConnections(limited),
      (count) => count === 3,
    );
    silent[0]?.destroy();
    await until(
      () => countConnections(limited),
      (count) => count === 2,
    );
    expect((await openConnection(limited).exchange(get)).status).toBe(200);
  });

  it('are not limited if the address is a trusted proxy', async () => {
    const behindProxy = await start({ maxConnectionsPerAddress: 1, trustProxy: ['loopback'] });
    for (let count = 0; count < 3; count++) {
      expect((await openConnection(behindProxy).exchange(get)).status).toBe(200);
    }
  });
});

describe('a connection with an error', () => {
  let impatient: TestApp;
  beforeAll(async () => {
    impatient = await startTestApp({ timeouts });
  });
  afterAll(() => impatient.close());

  it.each([
    ['that never sent anything', '', '408'],
    ['with half a header', 'GET / HTTP/1.1\r\nhost: a\r\nx-half: ', '408'],
    [
      'with half a body',
      'POST /api/v1/auth/nonce HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
      '408',
    ],
    ['with bytes that are not HTTP', 'NONSENSE\r\n\r\n', '400'],
    ['that asks for a tunnel', 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n', '405'],
  ])(
    'is destroyed after the response, although its client keeps it open: %s',
    { tags: ['long'] },
    async (_what, sent, status) => {
      const socket = await openSocket(impatient);
      socket.write(sent);
      expect(await readAll(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(socket.writable).toBe(true);
      await until(
        () => countConnections(impatient),
        (count) => count === 0,
      );
    },
  );

  it.each([
    ['with a declared length', 'content-length: 99999999999\r\n\r\n{'],
    ['with a length that is too large', 'content-length: 2000000\r\n\r\n{'],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('gets one response while its body is still arriving, and is destroyed: %s', async (_what, rest) => {
    const socket = await openSocket(impatient);
    socket.write(`POST /api/v1/dapp/orders HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${rest}`);
    const received = await readAll(socket);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/ 4\d\d$/)]);
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    expect(socket.writable).toBe(true);
    await until(
      () => countConnections(impatient),
      (count) => count === 0,
    );
  });

  const oversized = `GET / HTTP/1.1\r\nhost: shop.example\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`;

  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400],
    ['a header that is too long', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: cake\r\n\r\n', 417],
    ['a request to a proxy', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 405],
    ['a path that cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: a\r\n\r\n', 400],
  ])('gets the header of a sandbox for %s', async (_what, request, status) => {
    const { headers, ...response } = await openConnection(await start({ sandbox: true })).exchange(request);
    expect([response.status, headers.get('keyfront-sandbox')]).toEqual([status, 'on']);
  });

  it('gets the header of a sandbox for a connection too many', async () => {
    const socket = await openSocket(await start({ sandbox: true, maxConnectionsPerAddress: 0 }));
    expect(await readAll(socket)).toContain('keyfront-sandbox: on');
  });

  it('gets its 431 also after earlier requests', async () => {
    const connection = openConnection(service);
    expect((await connection.exchange(get)).status).toBe(200);
    expect((await connection.exchange(get)).status).toBe(200);
    const response = await connection.exchange(oversized);
    expect(response.status).toBe(431);
    expect(readJson(response)).toEqual(failure('HEADERS_TOO_LARGE'));
    expect(connection.isOpen).toBe(false);
  });

  it('gets its response after those of the requests before it', async () => {
    const socket = await openSocket(service);
    socket.write('GET /api/v1/planets HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3) + oversized);
    const responses = await readAll(socket);
    expect([...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '431',
    ]);
  });

  it('gets its 400 for a broken body, once', async () => {
    const socket = await openSocket(service);
    const head = 'POST /api/v1/auth/nonce HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
    socket.write(`${head}transfer-encoding: chunked\r\n\r\nnonsense`);
    socket.write('more\r\n'.repeat(1000));
    const responses = await readAll(socket);
    expect(responses.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400']);
  });
});

describe('Host', () => {
  const send = async (...lines: string[]) => {
    const response = await openConnection(service).exchange(`${lines.join('\r\n')}\r\n\r\n`);
    return [response.status, readJson(response).code];
  };

  it('must be there exactly once', async () => {
    const first = 'GET /health/live HTTP/1.1';
    expect(await send(first, 'host: a', 'connection: close')).toEqual([200, undefined]);
    for (const hosts of [
      ['host: a', 'host: b'],
      ['host: a', 'Host: a'],
      ['host: a', ...Array.from({ length: 2_100 }, () => 'a:b'), 'host: evil'],
      ['host: a, b'],
      ['host: a,b'],
      ['host: a b'],
      ['host: a/b'],
      ['host: user@a'],
      ['host:'],
      [],
    ]) {
      expect([hosts, await send(first, ...hosts)]).toEqual([hosts, [400, 'MALFORMED_REQUEST']]);
    }
    expect(await send('GET /health/live HTTP/1.0')).toEqual([200, undefined]);
    expect(await send('GET /health/live HTTP/1.0', 'host: a', 'host: b')).toEqual([400, 'MALFORMED_REQUEST']);
  });
});
