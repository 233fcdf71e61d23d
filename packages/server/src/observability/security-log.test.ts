import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressText } from './address-text.ts';
import { type SecurityEvent, type SecurityEventName, securityEvents } from './security-event.ts';
import { SecurityLog, type SecurityLogOptions } from './security-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Line {
  readonly level: string;
  readonly event: SecurityEventName;
  readonly address: string;
  readonly wallet?: string;
  readonly count?: number;
}

function open(options: SecurityLogOptions = {}) {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object) => {
    lines.push({ level, ...(fields as Omit<Line, 'level'>) });
  };
  const log = new SecurityLog({ info: write('info'), warn: write('warn') }, options);
  const describe = (address: string, event: SecurityEventName) =>
    ({ event, reqId: 'r', address, method: 'GET', route: '/keys' }) satisfies SecurityEvent;
  const record = (address: string, event: SecurityEventName) => log.record(describe(address, event));
  const reject = (address: string, wallet: string | null = null) =>
    log.recordRejection(describe(address, wallet === null ? 'auth.failed' : 'access.denied'), wallet);
  const omitted = () =>
    lines
      .filter(({ event }) => event === 'security.omitted')
      .map(({ address, wallet, count }) => [address ?? wallet, count] as const);
  return { lines, log, record, reject, omitted };
}

describe('the security log', () => {
  it('writes each event with the level of the table', () => {
    const { lines, record } = open();
    const names = Object.keys(securityEvents) as SecurityEventName[];
    for (const name of names) record('192.0.2.1', name);
    expect(lines.map(({ event, level }) => [event, level])).toEqual(Object.entries(securityEvents));
  });

  it('writes a bounded number of rejections of one address, and then how many it left out', () => {
    const { lines, reject, omitted } = open({ maxPerAddress: 3 });
    for (let count = 0; count < 1_000; count++) reject('192.0.2.1');
    reject('192.0.2.2');
    expect(lines.map(({ address }) => address)).toEqual([...Array(3).fill('192.0.2.1'), '192.0.2.2']);
    vi.advanceTimersByTime(60_000);
    expect(omitted()).toEqual([['192.0.2.1', 997]]);

    // The next window starts from zero, and a quiet one reports nothing.
    reject('192.0.2.1');
    expect(lines.at(-1)).toMatchObject({ event: 'auth.failed' });
    vi.advanceTimersByTime(120_000);
    expect(omitted()).toHaveLength(1);
  });

  it('counts the addresses of an IPv6 network together', () => {
    const { lines, reject, omitted } = open({ maxPerAddress: 3 });
    for (let count = 0; count < 10; count++) reject(`2001:db8:0:1::${count}`);
    reject('2001:db8:0:2::1');
    expect(lines).toHaveLength(4);
    vi.advanceTimersByTime(60_000);
    expect(omitted()).toEqual([['2001:db8:0:1::/64', 7]]);
  });

  it('does not leave out rejections of a caller because of others at the address, or at all addresses', () => {
    const { lines, reject, omitted } = open({ maxPerAddress: 1, maxTotal: 1, maxPerCaller: 5 });
    for (let n = 0; n < 100; n++) reject(`192.0.2.${n % 10}`);
    const before = lines.length;
    for (let n = 0; n < 7; n++) reject('192.0.2.1', '0xa');
    reject('192.0.2.1', '0xb');
    expect(lines.slice(before).map(({ event }) => event)).toEqual(Array(6).fill('access.denied'));
    vi.advanceTimersByTime(60_000);
    expect(omitted()).toContainEqual(['0xa', 2]);
  });

  it('never leaves out what is no rejection', () => {
    const { lines, record, reject } = open({ maxPerAddress: 1, maxTotal: 1 });
    for (let n = 0; n < 3; n++) reject('192.0.2.1');
    for (const name of ['sign_in.succeeded', 'key.revoked', 'admin.acted'] as const)
      record('192.0.2.1', name);
    expect(lines.map(({ event }) => event)).toEqual([
      'auth.failed',
      'sign_in.succeeded',
      'key.revoked',
      'admin.acted',
    ]);
  });

  it('writes the first rejection of an address, although others have used up the total', () => {
    const { lines, reject } = open({ maxTotal: 600 });
    for (let n = 0; n < 25 * 100; n++) reject(`192.0.2.${n % 25}`);
    const before = lines.length;
    reject('198.51.100.1');
    reject('198.51.100.1');
    expect(lines.slice(before).map(({ address }) => address)).toEqual(['198.51.100.1']);
  });

  it('is bounded for any number of addresses, in lines and in memory, and loses no count', () => {
    const options = { maxTotal: 100, maxFirst: 40, maxCounted: 50, maxReported: 5 };
    const { lines, reject, omitted } = open(options);
    for (let count = 0; count < 10_000; count++) reject(`2001:db8:0:${(count % 2_000).toString(16)}::1`);
    expect(lines).toHaveLength(140);
    vi.advanceTimersByTime(60_000);
    expect(lines.length).toBeLessThanOrEqual(140 + 6);
    expect(omitted().reduce((sum, [, count]) => sum + (count ?? 0), 0)).toBe(9_860);
  });

  it('reports what it left out when the service ends', () => {
    const { log, reject, omitted } = open({ maxPerAddress: 1 });
    reject('192.0.2.1');
    reject('192.0.2.1');
    log.endWindow();
    expect(omitted()).toEqual([['192.0.2.1', 1]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the address in a log line', () => {
  it('is an IP address or unknown, whatever a header says', () => {
    for (const address of ['192.0.2.1', '::1', '2001:db8::ff00:42:8329', '::ffff:192.0.2.1']) {
      expect(addressText(address)).toBe(address);
    }
    for (const text of [
      undefined,
      '',
      '"',
      '1","event":"x',
      'a@b.example',
      '192.0.2.1\n',
      'secret',
      '%eth0',
    ]) {
      expect(addressText(text)).toBe('unknown');
    }
    fc.assert(fc.property(fc.string(), (text) => JSON.parse(`"${addressText(text)}"`).length <= 45));
  });
});
