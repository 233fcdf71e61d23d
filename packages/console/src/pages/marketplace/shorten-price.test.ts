import { expect, it } from 'vitest';
import { shortenPrice } from './shorten-price.ts';

it('cuts prices of many decimals, and leaves others', () => {
  expect(shortenPrice('1.084999999999999999')).toBe('1.084999…');
  expect(shortenPrice('0.000000000000000001')).toBe('0.000000…');
  for (const price of ['2', '1.5', '0.123456']) expect(shortenPrice(price)).toBe(price);
});
