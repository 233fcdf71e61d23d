import { createServer, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestAppOn, type TestApp } from '../../../../../test/support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import type { AppDependencies } from '../../boot/app.ts';
import { consoleLink, deriveConsoleToken } from './console-token.ts';

const wallet = (digit: string) => ({
  walletAddress: `0x${digit.repeat(40)}`,
  walletPrivateKey: `0x${digit.repeat(64)}`,
});
const wallets = {
  holders: [{ name: 'Amira', apiKey: 'not for the console', ...wallet('1') }],
  admin: wallet('2'),
};
const token = deriveConsoleToken(wallets.admin.walletPrivateKey);
const otherToken = deriveConsoleToken(wallet('3').walletPrivateKey);
const demo: Partial<AppDependencies> = {
  console: true,
  isDemo: true,
  demoWallets: { token, read: async () => wallets },
};

let database: TestDatabase;
const services: TestApp[] = [];
/** Starts a service. None of them needs a database of its own. */
const start = async (dependencies: Partial<AppDependencies>): Promise<TestApp> => {
  const service = await startTestAppOn(database, dependencies);
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

interface Received {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends any headers, also a `Host` of another machine, and follows no redirect. */
function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    sendRequest({ host: '127.0.0.1', port, path, headers })
      .on('error', reject)
      .on('response', async (response) => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: await text(response) });
      })
      .end();
  });
}

const walletPath = '/console/demo-wallets';

/** The cookie that the link gives, as a browser sends it. */
async function openLink(port: number, given = token): Promise<string> {
  const { headers } = await ask(port, consoleLink('/console', given));
  return String(headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

const expectNoKeys = async (port: number, headers: Record<string, string> = {}) => {
  const { status, body } = await ask(port, walletPath, headers);
  expect(status, JSON.stringify(headers)).toBe(404);
  expect(body).not.toContain('PrivateKey');
};

/** Which wallets the page offers. */
const offerOf = async (port: number, headers: Record<string, string> = {}) =>
  /&#34;demoWallets&#34;:&#34;(\w+)&#34;/.exec((await ask(port, '/console', headers)).body)?.[1];

describe('the wallets of the demo', () => {
  it('are handed out to a browser that has opened the link', async () => {
    const cookie = await openLink(service.port);
    for (const sent of [cookie, `a=b; ${cookie}; c=d`, `${cookie.split('=')[0]}=old; ${cookie}`]) {
      const { status, body } = await ask(service.port, walletPath, {
        cookie: sent,
        'sec-fetch-site': 'same-origin',
      });
      expect(status).toBe(200);
      expect(JSON.parse(body)).toEqual({
        wallets: [
          { name: 'Amira', isAdmin: false, ...wallet('1') },
          { name: 'Administrator', isAdmin: true, ...wallet('2') },
        ],
      });
    }
    expect(await offerOf(service.port, { cookie })).toBe('available');
  });

  it('are not handed out on this machine without the token, or with another one', async () => {
    const name = (await openLink(service.port)).split('=')[0];
    for (const host of [`127.0.0.1:${service.port}`, 'localhost', 'evil.example']) {
      await expectNoKeys(service.port, { host });
      for (const value of ['', otherToken, token.slice(1), `${token}x`, token.toUpperCase()]) {
        await expectNoKeys(service.port, { host, cookie: `${name}=${value}` });
      }
      await expectNoKeys(service.port, { host, cookie: `token=${token}`, authorization: `Bearer ${token}` });
    }
    expect(await offerOf(service.port)).toBe('locked');
    expect(await offerOf(service.port, { cookie: `${name}=${otherToken}` })).toBe('locked');
  });

  it('are not handed out through a proxy that says nothing of itself', async () => {
    const proxy = createServer((incoming, outgoing) => {
      sendRequest({ port: service.port, path: incoming.url ?? '', headers: incoming.headers })
        .on('response', (response) => response.pipe(outgoing.writeHead(response.statusCode ?? 0)))
        .end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as { port: number };
      for (const host of ['localhost', '127.0.0.1', `localhost:${service.port}`]) {
        await expectNoKeys(port, { host });
        expect(await offerOf(port, { host })).toBe('locked');
      }
    } finally {
      proxy.close();
    }
  });

  it('are not handed out to pages of another origin, even if all origins may call the API', async () => {
    const host = `127.0.0.1:${service.port}`;
    const cookie = await openLink(service.port);
    for (const origin of ['http://evil.example', `https://${host}`, 'http://127.0.0.1:1', 'null']) {
      await expectNoKeys(service.port, { host, cookie, origin });
    }
    for (const site of ['cross-site', 'same-site'])
      await expectNoKeys(service.port, { host, cookie, 'sec-fetch-site': site });
  });

  it('are not there without the demo, without the console, without a token, or without their file', {
    tags: ['long'],
  }, async () => {
    const others = [
      { ...demo, isDemo: false },
      { ...demo, console: false },
      { ...demo, demoWallets: null },
      { ...demo, demoWallets: { token, read: async () => null } },
    ];
    const cookie = await openLink(service.port);
    for (const dependencies of others) {
      const { port } = await start(dependencies);
      expect((await ask(port, walletPath, { cookie })).body).not.toContain('PrivateKey');
      if (dependencies.console && !(dependencies.isDemo && dependencies.demoWallets))
        expect(await offerOf(port, { cookie })).toBe('none');
    }
  });

  it('have one cookie for each token, because a browser sends it to all ports of a host', async () => {
    const other = await start({ ...demo, demoWallets: { token: otherToken, read: async () => wallets } });
    const cookies = [await openLink(service.port), await openLink(other.port, otherToken)];
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0])).size).toBe(2);
    for (const { port } of [service, other]) {
      expect(await offerOf(port, { cookie: cookies.join('; ') })).toBe('available');
    }
  });
});

describe('the link', () => {
  it('loses its token at once, and keeps everything else', async () => {
    const targets = {
      [`/console?token=${token}`]: '/console',
      [`/console/?token=${token}`]: '/console/',
      [`/console/orders?status=PAID&token=${token}&search=a%26b`]: '/console/orders?status=PAID&search=a%26b',
      [`/console//evil.example/?token=${token}`]: '/console//evil.example/',
    };
    for (const [path, location] of Object.entries(targets)) {
      const { status, headers, body } = await ask(service.port, path);
      expect([status, headers.location, body]).toEqual([303, location, '']);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(
          new RegExp(
            `^keyfront-demo-[0-9a-f]{8}=${token}; Path=/console; HttpOnly; SameSite=Lax; Max-Age=\\d+$`,
          ),
        ),
      ]);
    }
  });

  it('gives no cookie with a wrong token, and loses it all the same', async () => {
    for (const wrong of ['', otherToken, token.slice(1)]) {
      const { status, headers } = await ask(service.port, consoleLink('/console', wrong));
      expect([status, headers.location, headers['set-cookie']]).toEqual([303, '/console', undefined]);
    }
  });

  it('is in no log, neither in the address nor as a cookie', async () => {
    const cookie = await openLink(service.port);
    await ask(service.port, walletPath, { cookie });
    await ask(service.port, `/console/assets/missing.js?x=${token}`, { cookie });
    await expect.poll(() => service.logLines.join('')).toContain(walletPath);
    expect(service.logLines.join('')).not.toContain(token);
  });
});
