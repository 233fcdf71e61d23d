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
  readonly count?: number;
}

function open(options: SecurityLogOptions = {}) {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object) => {
    lines.push({ level, ...(fields as Omit<Line, 'level'>) });
  };
  const log = new SecurityLog({ info: write('info'), warn: write('warn') }, options);
  const record = (address: string, event: SecurityEventName = 'auth.failed') =>
    log.record({ event, reqId: 'r', address, method: 'GET', route: '/keys' } satisfies SecurityEvent);
  const omitted = () =>
    lines
      .filter(({ event }) => event === 'security.omitted')
      .map(({ address, count }) => [address, count] as const);
  return { lines, log, record, omitted };
}

describe('the security log', () => {
  it('writes each event with the level of the table', () => {
    const { lines, record } = open();
    const names = Object.keys(securityEvents) as SecurityEventName[];
    for (const name of names) record('192.0.2.1', name);
    expect(lines.map(({ event, level }) => [event, level])).toEqual(Object.entries(securityEvents));
  });

  it('writes a bounded number of rejections of one address, and then how many it left out', () => {
    const { lines, record, omitted } = open({ maxPerAddress: 3 });
    for (let count = 0; count < 1_000; count++) record('192.0.2.1');
    record('192.0.2.2');
    expect(lines.map(({ address }) => address)).toEqual([...Array(3).fill('192.0.2.1'), '192.0.2.2']);
    vi.advanceTimersByTime(60_000);
    expect(omitted()).toEqual([['192.0.2.1', 997]]);

    // The next window starts from zero, and a quiet one reports nothing.
    record('192.0.2.1');
    expect(lines.at(-1)).toMatchObject({ event: 'auth.failed' });
    vi.advanceTimersByTime(120_000);
    expect(omitted()).toHaveLength(1);
  });

  it('never leaves out what needs a valid credential', () => {
    const { lines, record } = open({ maxPerAddress: 1, maxTotal: 1 });
    for (const name of ['auth.failed', 'access.denied', 'request.refused'] as const)
      record('192.0.2.1', name);
    for (const name of ['sign_in.succeeded', 'key.revoked', 'admin.acted'] as const)
      record('192.0.2.1', name);
    expect(lines.map(({ event }) => event)).toEqual([
      'auth.failed',
      'sign_in.succeeded',
      'key.revoked',
      'admin.acted',
    ]);
  });

  it('is bounded for any number of addresses, in lines and in memory, and loses no count', () => {
    const { lines, record, omitted } = open({ maxTotal: 100, maxAddresses: 50, maxReported: 5 });
    for (let count = 0; count < 10_000; count++) record(`2001:db8::${(count % 2_000).toString(16)}`);
    expect(lines).toHaveLength(100);
    vi.advanceTimersByTime(60_000);
    expect(lines.length).toBeLessThanOrEqual(100 + 6);
    expect(omitted().reduce((sum, [, count]) => sum + (count ?? 0), 0)).toBe(9_900);
  });

  it('reports what it left out when the service ends', () => {
    const { log, record, omitted } = open({ maxPerAddress: 1 });
    record('192.0.2.1');
    record('192.0.2.1');
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
