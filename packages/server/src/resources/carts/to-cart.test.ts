import { expect, it } from 'vitest';
import { toCart } from './to-cart.ts';

function held(retailPrice: number, quantity: number, currency = 'EUR') {
  const strain = { id: String(retailPrice), name: '', imageUrl: null, isAvailable: true, stockQuantity: 0 };
  return { strain: { ...strain, isSold: true, isOffered: true, retailPrice, currency }, quantity };
}
const free = { cartId: 'cart', charges: [] };
const charged = { cartId: 'cart', charges: [{ currency: 'EUR', deliveryCharge: 4.9, freeFrom: 20 }] };

it('calculates in whole cents, exactly', () => {
  const cart = toCart(free, [held(0.1, 3), held(9_999_999_999.99, 1000), held(0, 5)]);
  expect(cart.cartItems.map(({ lineAmount }) => lineAmount)).toEqual([0.3, 9_999_999_999_990, 0]);
  expect(cart.cartItems.map(({ totalAmount }) => totalAmount)).toEqual([0.3, 9_999_999_999_990, 0]);
  expect(cart).toMatchObject({
    subTotal: 9_999_999_999_990.3,
    deliveryCharge: 0,
    totalAmount: 9_999_999_999_990.3,
    totalQuantity: 1008,
    totalQuatity: 1008,
    currency: 'EUR',
  });
});

it('adds the delivery charge of its currency, unless the subtotal is large enough', () => {
  expect(toCart(charged, [held(0.1, 3)])).toMatchObject({
    subTotal: 0.3,
    deliveryCharge: 4.9,
    totalAmount: 5.2,
  });
  expect(toCart(charged, [held(10, 2)])).toMatchObject({ deliveryCharge: 0, totalAmount: 20 });
  expect(toCart(charged, [held(10, 1, 'USD')])).toMatchObject({ deliveryCharge: 0, totalAmount: 10 });
});

it('has no currency and no charge when it is empty, or when it holds several', () => {
  expect(toCart(charged, [])).toEqual({
    id: 'cart',
    cartItems: [],
    subTotal: 0,
    deliveryCharge: 0,
    totalAmount: 0,
    totalQuantity: 0,
    totalQuatity: 0,
    currency: null,
  });
  expect(toCart(charged, [held(1, 1), held(2, 1, 'USD')])).toMatchObject({
    currency: null,
    deliveryCharge: 0,
  });
});
