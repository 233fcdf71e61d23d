import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestAppOn, type TestApp } from '../../../../../test/support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import type { AppParts } from '../../app.ts';

const wallet = (digit: string) => ({
  walletAddress: `0x${digit.repeat(40)}`,
  walletPrivateKey: `0x${digit.repeat(64)}`,
});
const wallets = {
  holders: [{ name: 'Amira', apiKey: 'not for the console', ...wallet('1') }],
  admin: wallet('2'),
};
const demo: Partial<AppParts> = { console: true, isDemo: true, readDemoWallets: async () => wallets };

let database: TestDatabase;
const services: TestApp[] = [];
/** Starts a service. None of them needs a database of its own. */
const start = async (parts: Partial<AppParts>): Promise<TestApp> => {
  const service = await startTestAppOn(database, parts);
  services.push(service);
  return service;
};
let service: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await start({ ...demo, corsOrigins: ['*'] });
});
afterAll(async () => {
  await Promise.all(services.map(({ app }) => app.close()));
  await database.close();
});

/** Sends any headers, also a `Host` of another machine. */
function ask({ port }: TestApp, headers: Record<string, string> = {}, host = '127.0.0.1') {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    sendRequest({ host, port, path: '/demo/wallets', headers })
      .on('error', reject)
      .on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, body: await json(response) });
      })
      .end();
  });
}

/** Sends these bytes and returns all that comes back. */
function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const expectNoKeys = async (...request: Parameters<typeof ask>) => {
  const { status, body } = await ask(...request);
  expect(status, JSON.stringify(request[1])).toBe(404);
  expect(JSON.stringify(body)).not.toContain('PrivateKey');
};

describe('the wallets of the demo', () => {
  it('are handed out to a page of the service on this machine', async () => {
    for (const host of [`127.0.0.1:${service.port}`, `localhost:${service.port}`, '[::1]:1', 'LOCALHOST']) {
      const { status, body } = await ask(service, { host, 'sec-fetch-site': 'same-origin' });
      expect(status, host).toBe(200);
      expect(body).toEqual({
        wallets: [
          { name: 'Amira', isAdmin: false, ...wallet('1') },
          { name: 'Administrator', isAdmin: true, ...wallet('2') },
        ],
      });
    }
  });

  it('are not handed out for a name that somebody has pointed to this machine', async () => {
    const hosts = [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '127.evil.example',
      '0.0.0.0',
    ];
    for (const host of [...hosts, '10.0.0.1', '[::ffff:10.0.0.1]']) await expectNoKeys(service, { host });
    // Names no host, so it is refused before any route is.
    expect((await ask(service, { host: 'localhost@evil.example' })).status).toBe(400);
  });

  it('are not handed out to pages of another origin, even if all origins may call the API', async () => {
    const host = `127.0.0.1:${service.port}`;
    for (const origin of ['http://evil.example', `https://${host}`, 'http://127.0.0.1:1', 'null']) {
      await expectNoKeys(service, { host, origin });
    }
    for (const site of ['cross-site', 'same-site'])
      await expectNoKeys(service, { host, 'sec-fetch-site': site });
  });

  it('are not handed out through a proxy, trusted or not', async () => {
    const trusting = await start({ ...demo, trustProxy: ['loopback'] });
    const headers = [
      'forwarded',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-port',
      'x-real-ip',
      'via',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
      'x-cluster-client-ip',
      'fly-client-ip',
    ];
    for (const target of [service, trusting]) {
      for (const name of headers) {
        for (const value of ['127.0.0.1', '198.51.100.7', '']) await expectNoKeys(target, { [name]: value });
      }
    }
  });

  it('are not handed out to a page at another address, or through a proxy that adds no header', async () => {
    const host = `127.0.0.1:${service.port}`;
    expect((await ask(service, { host, referer: `http://${host}/console` })).status).toBe(200);
    for (const referer of ['https://shop.example/console', 'nonsense'])
      await expectNoKeys(service, { host, referer });
    // nginx sends this without any setting.
    const plain = await exchange(
      service.port,
      `GET /demo/wallets HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(plain).toMatch(/^HTTP\/1\.1 404 /);
    const absolute = await exchange(
      service.port,
      `GET http://shop.example/demo/wallets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1\.1 4/);
    expect(plain + absolute).not.toContain('PrivateKey');
  });

  it('are not handed out over the network', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    // A machine without a network has no such request.
    if (!address) return;
    const open = await start(demo);
    const server = open.app.server;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()));
    const port = (server.address() as { port: number }).port;
    await expectNoKeys({ ...open, port }, { host: '127.0.0.1' }, address);
    expect((await ask({ ...open, port })).status).toBe(200);
  });

  it('are not there without the demo, without the console, or without their file', async () => {
    await expectNoKeys(await start({ ...demo, isDemo: false }));
    await expectNoKeys(await start({ ...demo, console: false }));
    await expectNoKeys(await start({ ...demo, readDemoWallets: async () => null }));
  });

  it('are offered on the page under the same conditions', async () => {
    const offers = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.origin}/console`, { headers });
      return (await response.text()).includes('&#34;demo&#34;:true');
    };
    expect(await offers({})).toBe(true);
    expect(await offers({ 'x-forwarded-for': '198.51.100.7' })).toBe(false);
  });
});
