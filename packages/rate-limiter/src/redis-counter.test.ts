import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { sampleLimits as limits } from '../../../test/support/sample-limits.ts';
import { createLogger } from '../../server/src/observability/logging.ts';
import { MemoryCounter } from './memory-counter.ts';
import type { Policy } from './policy.ts';
import type { RedisTimings } from './redis-connection.ts';
import { RedisCounter } from './redis-counter.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** A reply may take long on a busy machine: most tests must not fall back because of it. */
const timings = {
  connectionTimeoutMs: 20_000,
  replyTimeoutMs: 20_000,
  firstPauseMs: 20,
  maxPauseMs: 50,
};
const shortTimings = { ...timings, connectionTimeoutMs: 600, replyTimeoutMs: 200 };
const waiting = { timeout: 30_000, interval: 10 };

function openCounter(url: string, chosenTimings: RedisTimings = timings) {
  const events: string[] = [];
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => log.push(line) });
  const counter = new RedisCounter({
    url,
    fallback: new MemoryCounter(),
    onUnavailable: (error) => {
      events.push(`unavailable: ${error.message}`);
      logger.warn({ err: error }, 'Redis is unavailable');
    },
    onRestored: () => events.push('restored'),
    timings: chosenTimings,
  });
  cleanups.push(() => counter.close());
  const admit = async (policy: Policy, key: string, tries: number) => {
    const decisions = await Promise.all(Array.from({ length: tries }, () => counter.take(policy, key)));
    return decisions.filter(({ isAdmitted }) => isAdmitted).length;
  };
  return {
    counter,
    events,
    log,
    admit,
    ready: () => vi.waitFor(() => expect(counter.isReady).toBe(true), waiting),
    failed: () => vi.waitFor(() => expect(events).toHaveLength(1), waiting),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function startRedis(port: number, ...settings: string[]): Promise<ChildProcess> {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
  const child = spawn('redis-server', [...fixed, ...settings], { stdio: ['ignore', 'pipe', 'ignore'] });
  cleanups.push(() => kill(child));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('Ready to accept connections')) break;
  }
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('without Redis', () => {
  it('counts in memory', async () => {
    const { events, admit, failed } = openCounter(`redis://127.0.0.1:${await findFreePort()}`);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    await failed();
    expect(events).toEqual([expect.stringContaining('unavailable: connect ECONNREFUSED')]);
    expect(await admit(limits.signIn, 'b', 20)).toBe(10);
  });

  it('reconnects again and again, and reports the failure once', async () => {
    let connections = 0;
    const port = await listen(
      createServer((socket) => {
        connections++;
        socket.destroy();
      }),
    );
    const { counter, events } = openCounter(`redis://127.0.0.1:${port}`);
    await vi.waitFor(() => expect(connections).toBeGreaterThan(5), waiting);
    expect(events).toHaveLength(1);
    expect(counter.isReady).toBe(false);
  });

  it('does not mistake a web server for Redis', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('<html>')));
    const { counter, events, admit, failed } = openCounter(`redis://127.0.0.1:${port}`);
    await failed();
    expect(events).toEqual([expect.stringContaining('Unknown RESP type')]);
    expect(counter.isReady).toBe(false);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('does not wait for a server that accepts a connection and never replies', async () => {
    let connections = 0;
    const port = await listen(createServer(() => connections++));
    const { counter, events, admit } = openCounter(`redis://127.0.0.1:${port}`, shortTimings);
    expect(counter.take(limits.signIn, 'a')).not.toBeInstanceOf(Promise);
    await vi.waitFor(() => expect(connections).toBeGreaterThan(1), waiting);
    expect(events).toEqual([expect.stringContaining('imeout')]);
    expect(await admit(limits.signIn, 'b', 20)).toBe(10);
  });

  it('sends no password to a server that does not speak TLS', async () => {
    const received: Buffer[] = [];
    const port = await listen(
      createServer((socket) => {
        socket.on('data', (chunk) => received.push(chunk));
        socket.end('+OK\r\n');
      }),
    );
    const { admit, failed } = openCounter(`rediss://:s3cret-word@127.0.0.1:${port}`);
    await failed();
    expect(Buffer.concat(received).toString('latin1')).not.toContain('s3cret-word');
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('does not reconnect after it was closed', async () => {
    const connections = { closed: 0, open: 0 };
    const startServer = (name: keyof typeof connections) =>
      listen(
        createServer((socket) => {
          connections[name]++;
          socket.destroy();
        }),
      );
    const { counter, events, failed } = openCounter(`redis://127.0.0.1:${await startServer('closed')}`);
    await failed();
    counter.close();
    // One attempt may have begun before.
    const maxConnections = connections.closed + 1;
    openCounter(`redis://127.0.0.1:${await startServer('open')}`);
    await vi.waitFor(() => expect(connections.open).toBeGreaterThan(5), waiting);
    expect(connections.closed).toBeLessThanOrEqual(maxConnections);
    expect(events).toHaveLength(1);
  });
});

describe('with Redis', needs('Redis'), () => {
  it('admits exactly the quota over all processes that count there', async () => {
    const port = await findFreePort();
    await startRedis(port);
    const one = openCounter(`redis://127.0.0.1:${port}`);
    const other = openCounter(`redis://127.0.0.1:${port}`);
    await one.ready();
    await other.ready();
    const counts = await Promise.all([one.admit(limits.nonce, 'a', 30), other.admit(limits.nonce, 'a', 30)]);
    expect(counts[0] + counts[1]).toBe(20);
    expect(await one.admit(limits.nonce, 'b', 30)).toBe(20);
    expect([...one.events, ...other.events]).toEqual([]);
  });

  it('returns what is left, and rejects an exhausted quota without asking Redis again', async () => {
    const port = await findFreePort();
    await startRedis(port);
    const { counter, admit, ready } = openCounter(`redis://127.0.0.1:${port}/3`);
    await ready();
    const first = { isAdmitted: true, remaining: 29, waitMs: 2000 };
    expect(await counter.take(limits.failure, 'a')).toEqual(first);
    expect(counter.peekRejection(limits.failure, 'a')).toBeNull();
    await admit(limits.failure, 'a', 40);
    expect(counter.take(limits.failure, 'a')).toMatchObject({ isAdmitted: false, remaining: 0 });
    expect(counter.peekRejection(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    expect(counter.peekRejection(limits.failure, 'b')).toBeNull();
  });

  it('refills the quota evenly', async () => {
    const port = await findFreePort();
    await startRedis(port);
    const { admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    const policy: Policy = { name: 'quick', per: 'address', quota: 10, windowMs: 3000, intervalMs: 300 };
    expect(await admit(policy, 'a', 20)).toBe(10);
    const started = performance.now();
    let refilled = 0;
    await vi.waitFor(async () => {
      refilled += await admit(policy, 'a', 1);
      expect(refilled).toBe(3);
    }, waiting);
    expect(performance.now() - started).toBeGreaterThan(2 * 300);
  });

  it('counts in memory when Redis dies, and in Redis when it is back', async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const { counter, events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    expect(await admit(limits.address, 'a', 100)).toBe(100);
    const pending = admit(limits.address, 'a', 100);
    await kill(redis);
    expect(await pending).toBe(100);
    await vi.waitFor(() => expect(counter.isReady).toBe(false), waiting);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toHaveLength(1);
    await startRedis(port);
    await ready();
    expect(events.slice(1)).toEqual(['restored']);
    // Neither the counts nor the script survived the restart.
    expect(await admit(limits.nonce, 'a', 30)).toBe(20);
  });

  it('waits for a reply until the timeout and not longer, and uses Redis again when it replies', async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const { counter, events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`, {
      ...timings,
      replyTimeoutMs: 200,
    });
    await ready();
    redis.kill('SIGSTOP');
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toEqual(['unavailable: Redis did not reply within 200 ms']);
    expect(counter.isReady).toBe(false);
    expect(counter.take(limits.signIn, 'b')).not.toBeInstanceOf(Promise);
    redis.kill('SIGCONT');
    await ready();
    expect(events.slice(1)).toEqual(['restored']);
  });

  it('makes a new connection when Redis does not reply for long, also while nobody calls', async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const { counter, events, ready } = openCounter(`redis://127.0.0.1:${port}`, shortTimings);
    await ready();
    redis.kill('SIGSTOP');
    await vi.waitFor(() => expect(counter.isReady).toBe(false), waiting);
    expect(events).toEqual([expect.stringContaining('imeout')]);
    redis.kill('SIGCONT');
    await ready();
    expect(events.slice(1)).toEqual(['restored']);
  });

  it('keeps an idle connection open with pings', { tags: ['long'] }, async () => {
    const port = await findFreePort();
    await startRedis(port);
    const idleTimings = { ...timings, connectionTimeoutMs: 2_000 };
    const { counter, events, ready } = openCounter(`redis://127.0.0.1:${port}`, idleTimings);
    await ready();
    // Three pings are sent within the timeout: after five it would have closed the connection.
    await vi.waitFor(
      () => {
        const stats = execFileSync('redis-cli', ['-p', String(port), 'info', 'commandstats']).toString();
        expect(Number(/cmdstat_ping:calls=(\d+)/.exec(stats)?.[1])).toBeGreaterThanOrEqual(5);
      },
      { ...waiting, interval: 100 },
    );
    expect([counter.isReady, events]).toEqual([true, []]);
  });

  it('falls back at once when too many commands are pending', { tags: ['long'] }, async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const { counter, events, ready } = openCounter(`redis://127.0.0.1:${port}`, {
      ...timings,
      replyTimeoutMs: 5000,
    });
    await ready();
    await counter.take(limits.address, 'caller who makes the script known');
    redis.kill('SIGSTOP');
    const decisions = Array.from({ length: 10_100 }, (_, caller) =>
      counter.take(limits.address, `caller ${caller}`),
    );
    await decisions.at(-1);
    expect(events).toEqual(['unavailable: The queue is full']);
    redis.kill('SIGCONT');
    const settled = await Promise.all(decisions);
    expect(settled.every(({ isAdmitted }) => isAdmitted)).toBe(true);
  });

  it('authenticates with a password, and with a user name and a password', async () => {
    const port = await findFreePort();
    await startRedis(port, '--requirepass', 'p@ss:wörd', '--user', 'counter', 'on', '>name', '~*', '+@all');
    const byPassword = openCounter(`redis://:${encodeURIComponent('p@ss:wörd')}@127.0.0.1:${port}`);
    const byName = openCounter(`redis://counter:name@127.0.0.1:${port}`);
    await byPassword.ready();
    await byName.ready();
    const counts = [await byPassword.admit(limits.nonce, 'a', 15), await byName.admit(limits.nonce, 'a', 15)];
    expect(counts).toEqual([15, 5]);
  });

  it.each([
    ['redis://:s3cret-word@', /^unavailable: WRONGPASS/],
    ['redis://s3cret-user:s3cret-word@', /^unavailable: WRONGPASS/],
    ['redis://', /^unavailable: NOAUTH/],
  ])('counts in memory when Redis rejects %s, and logs no password', async (start, reason) => {
    const port = await findFreePort();
    await startRedis(port, '--requirepass', 'right');
    const { counter, events, log, admit, failed } = openCounter(`${start}127.0.0.1:${port}`);
    await failed();
    expect(events).toEqual([expect.stringMatching(reason)]);
    expect(log).toHaveLength(1);
    expect(log.join('')).not.toContain('s3cret');
    expect(counter.isReady).toBe(false);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('counts in memory while Redis accepts no writes', async () => {
    const port = await findFreePort();
    await startRedis(port, '--maxmemory', '1kb', '--maxmemory-policy', 'noeviction');
    const { counter, events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toEqual([expect.stringContaining('OOM')]);
    expect(counter.peekRejection(limits.signIn, 'a')).toMatchObject({ isAdmitted: false });
  });
});

describe('with Redis over TLS', needs('Redis'), () => {
  /** The certificate authorities of a process are fixed when it starts: another process has to count. */
  const program = `
    import { RedisCounter } from '${new URL('../dist/redis-counter.js', import.meta.url)}';
    import { MemoryCounter } from '${new URL('../dist/memory-counter.js', import.meta.url)}';
    const finish = (text) => process.stdout.write(text, () => process.exit());
    const counter = new RedisCounter({
      url: process.argv[1],
      fallback: new MemoryCounter(),
      onUnavailable: ({ message }) => finish(message),
      onRestored: () => undefined,
    });
    while (!counter.isReady) await new Promise((resolve) => setTimeout(resolve, 5));
    const policy = { name: 'tls', per: 'address', quota: 10, windowMs: 60_000, intervalMs: 6_000 };
    const { remaining } = await counter.take(policy, 'a');
    finish('remaining: ' + remaining);
  `;

  async function count(url: string, authority?: string): Promise<string> {
    const env = { ...process.env, ...(authority ? { NODE_EXTRA_CA_CERTS: authority } : {}) };
    const args = ['--input-type=module', '--eval', program, url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return stdout;
  }

  it('verifies the certificate of the server', { tags: ['long'] }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyfront-redis-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '1'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', ...curve, ...name, ...files], { stdio: 'ignore' });
    const port = await findFreePort();
    const tls = ['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key];
    await startRedis(0, ...tls, '--tls-auth-clients', 'no');
    const url = `rediss://localhost:${port}`;
    const results = await Promise.all([
      count(url, certificate),
      count(url),
      count(`rediss://127.0.0.1:${port}`, certificate),
    ]);
    expect(results).toEqual([
      'remaining: 9',
      expect.stringMatching(/self.signed certificate/),
      expect.stringContaining("IP: 127.0.0.1 is not in the cert's list"),
    ]);
  });
});
