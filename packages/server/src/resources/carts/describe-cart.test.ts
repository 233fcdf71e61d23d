import { expect, it } from 'vitest';
import { describeCart } from './describe-cart.ts';

function held(retailPrice: number, quantity: number, currency = 'EUR') {
  const strain = { id: String(retailPrice), name: '', imageUrl: null, isAvailable: true, stockQuantity: 0 };
  return { strain: { ...strain, retailPrice, currency }, quantity };
}

it('calculates in whole cents, exactly', () => {
  const cart = describeCart('cart', [held(0.1, 3), held(9_999_999_999.99, 1000), held(0, 5)]);
  expect(cart.cartItems.map(({ lineAmount }) => lineAmount)).toEqual([0.3, 9_999_999_999_990, 0]);
  expect(cart).toMatchObject({ totalAmount: 9_999_999_999_990.3, totalQuantity: 1008, currency: 'EUR' });
});

it('has no currency when it is empty, or when it holds several', () => {
  expect(describeCart('cart', [])).toEqual({
    id: 'cart',
    cartItems: [],
    totalAmount: 0,
    totalQuantity: 0,
    currency: null,
  });
  expect(describeCart('cart', [held(1, 1), held(2, 1, 'USD')]).currency).toBe(null);
});
