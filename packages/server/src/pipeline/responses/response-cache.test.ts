import { describe, expect, it } from 'vitest';
import { ResponseCache } from './response-cache.ts';

/** An answer that is made when the test says so, and counts how often it was asked for. */
function slowAnswer() {
  const makings: { resolve: (body: string) => void; reject: (error: Error) => void }[] = [];
  return {
    make: () => new Promise<string>((resolve, reject) => makings.push({ resolve, reject })),
    count: () => makings.length,
    finish: (index: number, text: string) => makings[index]?.resolve(text),
    fail: (index: number) => makings[index]?.reject(new Error('The database is away')),
  };
}

const always = { isTrusted: () => true };
const quick = (body: string) => async () => body;

describe('kept cache', () => {
  it('are made once for many who ask at once, and are at hand from then on', async () => {
    const cache = new ResponseCache(always);
    const slow = slowAnswer();
    const asked = Array.from({ length: 50 }, () => cache.getOrCreate('/planets', 'planets', slow.make));
    expect(cache.find('/planets')).toBeUndefined();
    slow.finish(0, 'one');
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['one']));
    expect(cache.find('/planets')).toBe('one');
    expect(await cache.getOrCreate('/planets', 'planets', slow.make)).toBe('one');
    expect(slow.count()).toBe(1);
  });

  it('are kept apart by their names', async () => {
    const cache = new ResponseCache(always);
    await cache.getOrCreate('/page 1', 'page 1', quick('one'));
    await cache.getOrCreate('/page 2', 'page 2', quick('two'));
    expect(cache.find('/page 1')).toBe('one');
    expect(cache.find('/page 2')).toBe('two');
    cache.clear();
    expect(cache.find('/page 1')).toBeUndefined();
    expect(cache.find('/page 2')).toBeUndefined();
  });

  it('are one for all addresses that mean the same, and at hand for each that was read', async () => {
    const cache = new ResponseCache(always);
    const slow = slowAnswer();
    const asked = ['/?page=1', '/?page=1&x=2'].map((address) =>
      cache.getOrCreate(address, 'page 1', slow.make),
    );
    slow.finish(0, 'one');
    expect(await Promise.all(asked)).toEqual(['one', 'one']);
    expect(slow.count()).toBe(1);
    expect(cache.find('/?page=1&x=2')).toBe('one');
    expect(cache.find('/?page=1&x=3')).toBeUndefined();
  });

  it('are at hand however many addresses somebody makes up for one of them', async () => {
    const cache = new ResponseCache(always);
    let made = 0;
    const make = async () => `${++made}`;
    for (let n = 0; n < 5_000; n++) await cache.getOrCreate(`/?made-up=${n}`, 'page 1', make);
    await cache.getOrCreate(`/?${'x'.repeat(10_000)}`, 'page 1', make);
    expect(made).toBe(1);
    expect(cache.find(`/?${'x'.repeat(10_000)}`)).toBeUndefined();
    expect(cache.find('/?made-up=4999')).toBe('1');
  });

  it('that are forgotten while they are made reach only those who asked before', async () => {
    const cache = new ResponseCache(always);
    const slow = slowAnswer();
    const before = cache.getOrCreate('/planets', 'planets', slow.make);
    cache.clear();
    const later = cache.getOrCreate('/planets', 'planets', slow.make);
    expect(slow.count()).toBe(2);
    slow.finish(1, 'new');
    expect(await later).toBe('new');
    slow.finish(0, 'old');
    expect(await before).toBe('old');
    expect(cache.find('/planets')).toBe('new');
  });

  it('are made anew once they are too old, counted from the beginning of their making', async () => {
    let now = 0;
    const cache = new ResponseCache({ ...always, maxAgeMs: 1_000, now: () => now });
    const slow = slowAnswer();
    const first = cache.getOrCreate('/strains', 'strains', slow.make);
    now = 600;
    slow.finish(0, 'one');
    await first;
    now = 999;
    expect(cache.find('/strains')).toBe('one');
    now = 1_000;
    expect(cache.find('/strains')).toBeUndefined();
    expect(await cache.getOrCreate('/strains', 'strains', quick('two'))).toBe('two');
    expect(cache.find('/strains')).toBe('two');
  });

  it('are given to nobody while changes may go unheard', async () => {
    let isTrusted = true;
    const cache = new ResponseCache({ isTrusted: () => isTrusted });
    await cache.getOrCreate('/planets', 'planets', quick('one'));
    isTrusted = false;
    expect(cache.find('/planets')).toBeUndefined();
    const slow = slowAnswer();
    const asked = [
      cache.getOrCreate('/planets', 'planets', slow.make),
      cache.getOrCreate('/planets', 'planets', slow.make),
    ];
    slow.finish(0, 'two');
    slow.finish(1, 'three');
    expect(await Promise.all(asked)).toEqual(['two', 'three']);
  });

  it('that could not be made are not kept', async () => {
    const cache = new ResponseCache(always);
    const slow = slowAnswer();
    const asked = [
      cache.getOrCreate('/planets', 'planets', slow.make),
      cache.getOrCreate('/planets', 'planets', slow.make),
    ];
    slow.fail(0);
    for (const each of asked) await expect(each).rejects.toThrow('The database is away');
    expect(await cache.getOrCreate('/planets', 'planets', quick('one'))).toBe('one');
  });

  it('that fail late do not take away what was made meanwhile', async () => {
    const cache = new ResponseCache(always);
    const slow = slowAnswer();
    const before = cache.getOrCreate('/planets', 'planets', slow.make);
    cache.clear();
    await cache.getOrCreate('/planets', 'planets', quick('new'));
    slow.fail(0);
    await expect(before).rejects.toThrow('The database is away');
    expect(cache.find('/planets')).toBe('new');
  });

  it('are not kept when they are large', async () => {
    const cache = new ResponseCache(always);
    const largest = 'x'.repeat(128 * 1024);
    await cache.getOrCreate('/large', 'large', quick(largest));
    expect(cache.find('/large')).toHaveLength(largest.length);
    await cache.getOrCreate('/larger', 'larger', quick(`${largest}x`));
    expect(cache.find('/larger')).toBeUndefined();
  });

  it('are at most so many: what nobody asks for goes first', async () => {
    const cache = new ResponseCache(always);
    for (let page = 0; page < 1_000; page++) {
      await cache.getOrCreate(`/page ${page}`, `page ${page}`, quick('x'));
      expect(cache.find('/page 0')).toBeDefined();
    }
    expect(cache.find('/page 999')).toBeDefined();
    expect(cache.find('/page 1')).toBeUndefined();
  });
});
