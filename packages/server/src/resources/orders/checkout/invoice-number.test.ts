import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeInvoiceNumber, readInvoiceNumber } from './invoice-number.ts';

it('takes ten characters, each from the number that is picked for it', () => {
  const picks = [0, 9, 10, 17, 18, 22, 26, 27, 31, 1];
  let at = 0;
  expect(makeInvoiceNumber(() => picks[at++] ?? 0)).toBe('KF-09AHJPTVZ1');
  expect(at).toBe(10);
});

it('has thirty-two characters to pick from, none of which reads as another', () => {
  const bounds = new Set<number>();
  const characters = Array.from({ length: 32 }, (_, pick) =>
    makeInvoiceNumber((bound) => {
      bounds.add(bound);
      return pick;
    }).at(-1),
  );
  expect([...bounds]).toEqual([32]);
  expect(characters.join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
});

it('makes another number each time when the numbers are picked at random', () => {
  const made = new Set(Array.from({ length: 1_000 }, () => makeInvoiceNumber(randomInt)));
  expect(made.size).toBe(1_000);
  for (const number of made) expect(number).toMatch(/^KF-[0-9A-HJKMNP-TV-Z]{10}$/);
});

it('reads a whole number in any case, and no part of one', () => {
  const number = makeInvoiceNumber(randomInt);
  expect([number, number.toLowerCase()].map(readInvoiceNumber)).toEqual([number, number]);
  for (const text of [
    number.slice(1),
    number.slice(0, -1),
    `${number}0`,
    ` ${number}`,
    'KF-O000000000',
    'KF-00000000ß',
    'KF-000000000ſ',
    'KF-0000000000',
    '',
  ]) {
    expect(readInvoiceNumber(text)).toBeNull();
  }
});
