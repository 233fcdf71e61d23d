import { type PeerProgram, versionOf } from './peer-program.ts';
import { productsOf, type Shop } from './shop.ts';

/** What `bench/peers/medusa/seed.js` writes. */
interface Seeded {
  readonly key: string;
  readonly region: string;
  readonly salesChannel: string;
  readonly shippingOption: string;
  readonly variants: readonly string[];
}

const program = 'node_modules/@medusajs/cli/cli.js';

export const medusa: PeerProgram<Seeded> = {
  folder: 'medusa',
  seed: [
    [program, 'db:migrate'],
    [program, 'exec', './seed.js'],
  ],
  start: (port) => [program, 'start', '--host', '127.0.0.1', '--port', `${port}`],
  createShop: (origin, seeded): Shop => ({
    name: `Medusa ${versionOf('medusa', '@medusajs/medusa')}`,
    about:
      'creates a cart with its lines, e-mail and address; adds a shipping method, a payment collection and a payment ' +
      'session of the manual provider; completes the cart, which authorizes the payment and reserves the stock. Events, ' +
      'cache, locks and workflows are in the memory of the process, not in Redis. No search index.',
    order: async (send, customer) => {
      const headers = { 'x-publishable-api-key': seeded.key };
      const post = async (path: string, body: object) =>
        (await send(`${origin}/store${path}`, { headers, body: JSON.stringify(body) })).body;
      const address = {
        first_name: `Ada ${customer}`,
        last_name: 'Customer',
        address_1: `Street ${customer}`,
        city: 'Berlin',
        postal_code: '10115',
        country_code: 'de',
        phone: '+491512345678',
      };
      const { cart } = await post('/carts?fields=id', {
        region_id: seeded.region,
        sales_channel_id: seeded.salesChannel,
        email: `ada${customer}@example.com`,
        shipping_address: address,
        billing_address: address,
        items: productsOf(customer).map((product) => ({
          variant_id: seeded.variants[product],
          quantity: 1,
        })),
      });
      await post(`/carts/${cart.id}/shipping-methods?fields=id`, { option_id: seeded.shippingOption });
      const { payment_collection: payment } = await post('/payment-collections?fields=id', {
        cart_id: cart.id,
      });
      await post(`/payment-collections/${payment.id}/payment-sessions?fields=id`, {
        provider_id: 'pp_system_default',
      });
      const completed = await post(`/carts/${cart.id}/complete?fields=id`, {});
      if (completed.type !== 'order') throw new Error(`No order: ${JSON.stringify(completed)}`);
    },
  }),
};
