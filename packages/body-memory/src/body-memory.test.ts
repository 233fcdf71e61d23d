import { describe, expect, it } from 'vitest';
import { BodyMemory, type BodyOwner } from './index.ts';

/** Leases memory and records which leases lost it. */
function open(options: ConstructorParameters<typeof BodyMemory>[0]) {
  const memory = new BodyMemory(options);
  const evicted: string[] = [];
  const lease = (name: string, address: string, wallet: string | null = null) => {
    const owner: BodyOwner = { address, wallet };
    return memory.lease(owner, () => evicted.push(name));
  };
  return { memory, evicted, lease };
}

describe('the memory of bodies', () => {
  it('is bounded for each wallet, for each address, and for all of them', () => {
    const { memory, lease } = open({ maxBytesPerWallet: 10, maxBytesPerAddress: 20, maxBytes: 30 });
    const [one, other] = [lease('one', 'a', 'w'), lease('other', 'a', 'w')];
    expect([one.grow(6), other.grow(4), one.grow(1), other.grow(1)]).toEqual([true, true, false, false]);
    const anonymous = lease('anonymous', 'a');
    expect([anonymous.grow(10), anonymous.grow(1)]).toEqual([true, false]);
    const far = lease('far', 'b');
    expect([far.grow(10), memory.bytes]).toEqual([true, 30]);
    for (const each of [one, other, anonymous, far]) {
      each.release();
      each.release();
    }
    expect([memory.bytes, lease('one', 'a', 'w').grow(10)]).toEqual([0, true]);
  });

  it('is taken from the address that holds the most, beginning with the body that has not grown for the longest time', () => {
    const { evicted, lease } = open({ maxBytes: 100 });
    const [slow, quick, small] = [
      lease('slow', 'a', 'w1'),
      lease('quick', 'a', 'w2'),
      lease('small', 'b', 'w3'),
    ];
    expect([slow.grow(30), quick.grow(30), small.grow(40), slow.grow(0), quick.grow(0)]).not.toContain(false);
    expect([lease('new', 'c').grow(10), evicted]).toEqual([true, ['slow']]);
    // The address with the most cannot take more.
    expect([small.grow(31), evicted]).toEqual([false, ['slow']]);
  });

  it('is not taken away from a body that has arrived', () => {
    const { evicted, lease } = open({ maxBytes: 100 });
    const arrived = lease('arrived', 'a');
    arrived.grow(100);
    arrived.complete();
    expect([lease('new', 'b').grow(1), evicted]).toEqual([false, []]);
  });

  it('is not kept from another wallet at the same address by any number of keys of one wallet', () => {
    const { evicted, lease } = open({ maxBytesPerAddress: 100 });
    for (let n = 0; n < 10; n++) expect(lease(`flood ${n}`, 'a', 'attacker').grow(10)).toBe(true);
    expect([lease('other', 'a', 'victim').grow(10), evicted]).toEqual([true, ['flood 0']]);
  });

  it('is not kept from a wallet at an address that holds as much as any other', () => {
    const { evicted, lease } = open({ maxBytes: 40 });
    for (const address of ['a', 'b']) {
      for (let n = 0; n < 2; n++)
        expect(lease(`flood ${address} ${n}`, address, 'attacker').grow(10)).toBe(true);
    }
    expect([lease('other', 'b', 'victim').grow(5), evicted]).toEqual([true, ['flood b 0']]);
  });

  it('is not kept from a holder by strangers who know a public key of the holder', () => {
    const { evicted, lease } = open({ maxBytesPerWallet: 100 });
    for (let n = 0; n < 10; n++) expect(lease(`flood ${n}`, 'stranger', 'w').grow(10)).toBe(true);
    expect([lease('own', 'home', 'w').grow(10), evicted]).toEqual([true, ['flood 0']]);
    expect(lease('flood', 'stranger', 'w').grow(11)).toBe(false);
  });

  it('is given to a small body however many addresses flood it', () => {
    const { memory, lease } = open({ maxBytesPerAddress: 20, maxBytes: 200 });
    for (let address = 0; address < 20; address++) lease('flood', `bot ${address}`).grow(20);
    for (let n = 0; n < 10; n++) {
      const small = lease('small', 'home');
      expect(small.grow(5)).toBe(true);
      small.release();
    }
    expect(memory.bytes).toBeLessThanOrEqual(200);
  });
});
