import { expect, it } from 'vitest';
import { describeCart } from './describe-cart.ts';

function held(retailPrice: string, quantity: number, currency = 'EUR') {
  const strain = { id: retailPrice, name: '', imageUrl: null, isAvailable: true, stockQuantity: 0 };
  return { strain: { ...strain, retailPrice, currency }, quantity };
}

it('calculates in whole cents, exactly and beyond the range of floats', () => {
  const cart = describeCart('cart', [held('0.10', 3), held('9999999999.99', 1000), held('0.00', 5)]);
  expect(cart.cartItems.map(({ lineAmount }) => lineAmount)).toEqual(['0.30', '9999999999990.00', '0.00']);
  expect(cart).toMatchObject({ totalAmount: '9999999999990.30', totalQuantity: 1008, currency: 'EUR' });
});

it('has no currency when it is empty, or when it holds several', () => {
  expect(describeCart('cart', [])).toEqual({
    id: 'cart',
    cartItems: [],
    totalAmount: '0.00',
    totalQuantity: 0,
    currency: null,
  });
  expect(describeCart('cart', [held('1.00', 1), held('2.00', 1, 'USD')]).currency).toBe(null);
});
