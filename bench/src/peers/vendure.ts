import { type PeerProgram, versionOf } from './peer-program.ts';
import { productsOf, type Shop } from './shop.ts';

/** What `bench/peers/vendure/seed.mjs` writes. */
interface Seeded {
  readonly variants: readonly number[];
  readonly shippingMethod: number;
}

// A storefront can send several mutations in one request. The first one begins the session of the others.
const addItems = `mutation ($items: [AddItemInput!]!) {
  addItemsToOrder(inputs: $items) { order { id } errorResults { ... on ErrorResult { errorCode message } } }
}`;
const result = '{ __typename ... on Order { state } ... on ErrorResult { errorCode message } }';
const setDetails = `mutation ($customer: CreateCustomerInput!, $address: CreateAddressInput!, $shipping: [ID!]!) {
  setCustomerForOrder(input: $customer) ${result}
  setOrderShippingAddress(input: $address) ${result}
  setOrderShippingMethod(shippingMethodId: $shipping) ${result}
}`;
const pay = `mutation {
  transitionOrderToState(state: "ArrangingPayment") ${result}
  addPaymentToOrder(input: { method: "dummy", metadata: {} }) ${result}
}`;

export const vendure: PeerProgram<Seeded> = {
  folder: 'vendure',
  seed: [['seed.mjs']],
  start: () => ['start.mjs'],
  createShop: (origin, seeded): Shop => ({
    name: `Vendure ${versionOf('vendure', '@vendure/core')}`,
    about:
      'adds the lines; sets the customer, the address and the shipping method; begins the payment and settles it with the ' +
      'dummy handler, which allocates the stock. Several GraphQL mutations share a request. No plugins: no search index, ' +
      'no e-mail, no persistent job queue and no worker.',
    order: async (send, customer) => {
      const headers: Record<string, string> = {};
      const mutate = async (query: string, variables: object) => {
        const response = await send(`${origin}/shop-api`, {
          headers,
          body: JSON.stringify({ query, variables }),
        });
        const token = response.headers['vendure-auth-token'];
        if (typeof token === 'string') headers.authorization = `Bearer ${token}`;
        const results = Object.values<{ __typename?: string }>(response.body.data ?? {});
        if (response.body.errors || results.some(({ __typename = 'Order' }) => __typename !== 'Order')) {
          throw new Error(`No order: ${JSON.stringify(response.body)}`);
        }
        return response.body.data;
      };
      await mutate(addItems, {
        items: productsOf(customer).map((product) => ({
          productVariantId: seeded.variants[product],
          quantity: 1,
        })),
      });
      await mutate(setDetails, {
        customer: {
          firstName: `Ada ${customer}`,
          lastName: 'Customer',
          emailAddress: `ada${customer}@example.com`,
        },
        address: {
          fullName: `Ada ${customer} Customer`,
          streetLine1: `Street ${customer}`,
          city: 'Berlin',
          postalCode: '10115',
          countryCode: 'DE',
          phoneNumber: '+491512345678',
        },
        shipping: [seeded.shippingMethod],
      });
      const { addPaymentToOrder: order } = await mutate(pay, {});
      if (order.state !== 'PaymentSettled') throw new Error(`No paid order: ${JSON.stringify(order)}`);
    },
  }),
};
