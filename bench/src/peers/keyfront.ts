import { createHmac, randomUUID } from 'node:crypto';
import { type Bench, signHeaders } from '../bench.ts';
import { settingsFor, startService } from '../processes/service.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import { productsOf, type Shop } from './shop.ts';

const callbackSecret = Buffer.alloc(32, 'bench');

/** Starts a service that takes payments, and empties the carts of the seed. */
export async function startKeyfront({ store, signers, endLater }: Bench): Promise<Shop> {
  await store.client.query(`
    DELETE FROM keyfront.cart_items;
    INSERT INTO keyfront.delivery_charges (country_code, currency, delivery_charge) VALUES ('DEU', 'EUR', 5)
      ON CONFLICT DO NOTHING`);
  const service = await startService({
    ...settingsFor(store),
    PAYMENT_URL: 'https://pay.example/{reference}',
    PAYMENT_CALLBACK_SECRET: `whsec_${callbackSecret.toString('base64')}`,
  });
  endLater(service.end);
  return {
    name: 'Keyfront',
    about:
      'fills the cart; places the order with an Idempotency-Key, which takes the stock, sets the address and the delivery ' +
      'charge, opens a payment and writes an event; reports the payment as the provider does. Every request is signed, ' +
      'verified and logged.',
    order: async (send, customer) => {
      const clientId = idOf('client', tokens.large, customer);
      const post = async (path: string, content: object, headers = {}) => {
        const body = JSON.stringify(content);
        const url = service.baseUrl + path;
        const response = await send(url, {
          headers: { ...signHeaders(signers.large, body), ...headers },
          body,
        });
        return response.body.data;
      };
      await post('/dapp/carts', {
        clientId,
        cartItems: productsOf(customer).map((product) => ({
          strainId: idOf('strain', 0, product),
          quantity: 1,
        })),
      });
      const order = await post(
        '/dapp/orders',
        { clientId, paymentFlow: 'DIRECT' },
        { 'idempotency-key': randomUUID() },
      );
      const report = JSON.stringify({
        reference: new URL(order.payUrl).pathname.slice(1),
        status: 'PAID',
        amount: order.totalAmount,
        currency: order.currency,
      });
      await send(`${service.baseUrl}/callbacks/payments`, { headers: signReport(report), body: report });
    },
  };
}

/** Signs a report of the payment provider as the Standard Webhooks specification describes. */
function signReport(body: string): Record<string, string> {
  const id = randomUUID();
  const timestamp = `${Math.floor(Date.now() / 1_000)}`;
  const signature = createHmac('sha256', callbackSecret)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
