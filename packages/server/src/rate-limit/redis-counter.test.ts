import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sampleLimits as limits } from '../../../../test/support/sample-limits.ts';
import type { Policy } from './limits.ts';
import { MemoryCounter } from './memory-counter.ts';
import { RedisCounter } from './redis-counter.ts';

const isThere = spawnSync('redis-server', ['--version']).status === 0;

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const timings = { connectMs: 500, answerMs: 200, pauseMs: 20, longestPauseMs: 50 };
const patient = { timeout: 10_000, interval: 10 };

function openCounter(url: string) {
  const events: string[] = [];
  const counter = new RedisCounter({
    url,
    fallback: new MemoryCounter(),
    onAway: ({ message }) => events.push(`away: ${message}`),
    onBack: () => events.push('back'),
    timings,
  });
  endings.push(() => counter.close());
  const admit = async (policy: Policy, key: string, tries: number) => {
    const decisions = await Promise.all(Array.from({ length: tries }, () => counter.take(policy, key)));
    return decisions.filter(({ isAdmitted }) => isAdmitted).length;
  };
  return {
    counter,
    events,
    admit,
    ready: () => vi.waitFor(() => expect(counter.isReady).toBe(true), patient),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function startRedis(port: number, ...settings: string[]): Promise<ChildProcess> {
  const settled = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    tmpdir(),
    ...settings,
  ];
  const child = spawn('redis-server', settled, { stdio: ['ignore', 'pipe', 'ignore'] });
  endings.push(() => end(child));
  let printed = '';
  for await (const piece of child.stdout) {
    printed += piece;
    if (printed.includes('Ready to accept connections')) break;
  }
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('a Redis that is not there', () => {
  it('is counted for in memory, and reported once', async () => {
    const { events, admit } = openCounter(`redis://127.0.0.1:${await freePort()}`);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    await vi.waitFor(() => expect(events).toHaveLength(1), patient);
    await delay(300);
    expect(events).toEqual([expect.stringContaining('away: connect ECONNREFUSED')]);
    expect(await admit(limits.signIn, 'b', 20)).toBe(10);
  });

  it('is not taken from a web server on its port', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('<html>')));
    const { counter, events, admit } = openCounter(`redis://127.0.0.1:${port}`);
    await vi.waitFor(() => expect(events).toEqual(['away: What answers there is no Redis']), patient);
    expect(counter.isReady).toBe(false);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('is not waited for when it accepts and says nothing', async () => {
    const port = await listen(createServer(() => undefined));
    const { counter, events, admit } = openCounter(`redis://127.0.0.1:${port}`);
    expect(counter.take(limits.signIn, 'a')).not.toBeInstanceOf(Promise);
    await vi.waitFor(() => expect(events).toEqual(['away: Redis did not answer in time']), patient);
    expect(await admit(limits.signIn, 'b', 20)).toBe(10);
  });

  it('does not reach further than its greeting when TLS is asked of one without', async () => {
    const port = await listen(createServer((socket) => socket.end('+OK\r\n')));
    const { events, admit } = openCounter(`rediss://127.0.0.1:${port}`);
    await vi.waitFor(() => expect(events).toHaveLength(1), patient);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });
});

if (!isThere) it.skip('counting in Redis: passed over, because there is no redis-server here', () => {});

describe.runIf(isThere)('counting in Redis', () => {
  it('admits exactly the quota, over all that count there', async () => {
    const port = await freePort();
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

  it('tells what is left, and refuses by what it knows without asking again', async () => {
    const port = await freePort();
    await startRedis(port);
    const { counter, admit, ready } = openCounter(`redis://127.0.0.1:${port}/3`);
    await ready();
    expect(await counter.take(limits.failure, 'a')).toEqual({
      isAdmitted: true,
      remaining: 29,
      waitMs: 2000,
    });
    expect(counter.isUsedUp(limits.failure, 'a')).toBeNull();
    await admit(limits.failure, 'a', 40);
    const refusal = counter.take(limits.failure, 'a');
    expect(refusal).toMatchObject({ isAdmitted: false, remaining: 0 });
    expect(counter.isUsedUp(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    expect(counter.isUsedUp(limits.failure, 'b')).toBeNull();
  });

  it('gives the quota back evenly', async () => {
    const port = await freePort();
    await startRedis(port);
    const { admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    const quick: Policy = { name: 'quick', per: 'address', quota: 10, windowMs: 2000, intervalMs: 200 };
    expect(await admit(quick, 'a', 20)).toBe(10);
    await delay(210);
    const count = await admit(quick, 'a', 20);
    expect(count).toBeGreaterThanOrEqual(1);
    expect(count).toBeLessThan(10);
  });

  it('counts in memory when Redis dies in the middle, and in Redis when it is back', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const { counter, events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    expect(await admit(limits.address, 'a', 100)).toBe(100);
    const underWay = admit(limits.address, 'a', 100);
    await end(redis);
    expect(await underWay).toBe(100);
    await vi.waitFor(() => expect(counter.isReady).toBe(false), patient);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toHaveLength(1);
    await startRedis(port);
    await ready();
    expect(events.slice(1)).toEqual(['back']);
    // It was started anew: neither the counts nor the script are there any more.
    expect(await admit(limits.nonce, 'a', 30)).toBe(20);
  });

  it('goes on without a Redis that stands still', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const { counter, events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    redis.kill('SIGSTOP');
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toEqual(['away: Redis did not answer in time']);
    expect(counter.isReady).toBe(false);
    redis.kill('SIGCONT');
    await ready();
    expect(events.slice(1)).toEqual(['back']);
  });

  it('signs in, with and without a name', async () => {
    const port = await freePort();
    await startRedis(port, '--requirepass', 'p@ss:wörd', '--user', 'counter', 'on', '>name', '~*', '+@all');
    const nameless = openCounter(`redis://:${encodeURIComponent('p@ss:wörd')}@127.0.0.1:${port}`);
    const named = openCounter(`redis://counter:name@127.0.0.1:${port}`);
    await nameless.ready();
    await named.ready();
    expect((await nameless.admit(limits.nonce, 'a', 15)) + (await named.admit(limits.nonce, 'a', 15))).toBe(
      20,
    );
  });

  it.each(['redis://:wrong@', 'redis://'])('counts in memory when %s is refused', async (start) => {
    const port = await freePort();
    await startRedis(port, '--requirepass', 'right');
    const { counter, events, admit } = openCounter(`${start}127.0.0.1:${port}`);
    await vi.waitFor(() => expect(events).toHaveLength(1), patient);
    await delay(200);
    expect(events).toEqual([expect.stringMatching(/^away: (WRONGPASS|NOAUTH)/)]);
    expect(counter.isReady).toBe(false);
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('counts in memory while Redis takes no writes', async () => {
    const port = await freePort();
    await startRedis(port, '--maxmemory', '1kb', '--maxmemory-policy', 'noeviction');
    const { events, admit, ready } = openCounter(`redis://127.0.0.1:${port}`);
    await ready();
    expect(await admit(limits.signIn, 'a', 20)).toBe(10);
    expect(events).toEqual([expect.stringContaining('OOM')]);
  });
});
