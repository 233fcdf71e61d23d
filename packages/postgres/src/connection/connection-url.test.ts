import { describe, expect, it } from 'vitest';
import { addSessionSettings, describeAddress, parseServers, readUser } from './connection-url.ts';

describe('the servers of a connection URL', () => {
  it('are one, in any state, for a URL with one host', () => {
    for (const url of [
      'postgres://ada:secret@db.example:5432/shop',
      'postgresql://ada@[::1]:5432/shop?sslmode=verify-full',
      'postgres:///shop?host=/run/postgresql',
    ])
      expect(parseServers(url)).toEqual({ urls: [url], target: 'any' });
  });

  it('are those of a list, and the one that accepts writes is wanted', () => {
    expect(parseServers('postgres://ada:a%40b@one:5432,[::1]:5433,three/shop?sslmode=disable')).toEqual({
      urls: [
        'postgres://ada:a%40b@one:5432/shop?sslmode=disable',
        'postgres://ada:a%40b@[::1]:5433/shop?sslmode=disable',
        'postgres://ada:a%40b@three/shop?sslmode=disable',
      ],
      target: 'read-write',
    });
  });

  it.each(['any', 'read-write', 'primary'])('may have to be %s', (target) => {
    const rest = `shop?options=-c%20geqo%3Doff&target_session_attrs=${target}`;
    expect(parseServers(`postgres://one,two/${rest}`)).toEqual({
      urls: ['postgres://one/shop?options=-c%20geqo%3Doff', 'postgres://two/shop?options=-c%20geqo%3Doff'],
      target,
    });
  });

  it.each([
    'mysql://one/shop',
    'postgres://one:port,two/shop',
    'postgres://one,two:99999/shop',
    'postgres://one,two/shop?target_session_attrs=standby',
  ])('are rejected in %s', (url) => {
    expect(() => parseServers(url)).toThrow(TypeError);
  });
});

it('describes the address and the user of a URL with several hosts', () => {
  const url = 'postgres://ada%20b:secret@one:5432,two/shop';
  expect(describeAddress(url)).toBe('one:5432,two/shop');
  expect(readUser(url)).toBe('ada b');
});

it('adds settings after those that the URL has', () => {
  expect(addSessionSettings('postgres://one/shop?options=-c%20geqo%3Doff', { role: 'a', n: 'b c' })).toBe(
    'postgres://one/shop?options=-c%20geqo%3Doff%20-c%20role%3Da%20-c%20n%3Db%5C%20c',
  );
});
