import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/catalogue.tsx'),
  route('strains/:strainId', 'routes/product.tsx'),
  route('country', 'routes/country.ts'),
  route('cart', 'routes/cart.tsx'),
  route('sign-in', 'routes/sign-in.tsx'),
  route('sign-out', 'routes/sign-out.ts'),
  route('register', 'routes/register.tsx'),
  route('account', 'routes/account.tsx'),
  route('account/verify', 'routes/verify.ts'),
  route('account/erase', 'routes/erase.tsx'),
  route('checkout', 'routes/checkout.tsx'),
  route('orders', 'routes/orders.tsx'),
  route('orders/:orderId', 'routes/order.tsx'),
  route('orders/:orderId/pay', 'routes/pay.ts'),
  route('orders/:orderId/invoice', 'routes/invoice.ts'),
  route('updates', 'routes/updates.ts'),
  route('hooks/keyfront', 'routes/webhook.ts'),
] satisfies RouteConfig;
