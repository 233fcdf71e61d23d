import type { OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import {
  approvalTransitions,
  orderTransitions,
  paymentTransitions,
} from '../packages/server/src/resources/states/transitions.ts';
import { readCode, readDocument, readMoves, readTables, toPattern } from './support/guide-programs.ts';
import { listMoves, type TransitionTable } from './support/state-diagrams.ts';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';
import { insertCart, insertClient, insertStrain } from './support/storefront-data.ts';

const guide = readDocument('docs/guides/orders.md');

describe('the state diagrams of the orders guide', () => {
  it.each<[string, TransitionTable]>([
    ['orderStatus', orderTransitions],
    ['paymentStatus', paymentTransitions],
    ['adminApproval', approvalTransitions],
  ])('show exactly the transitions of the state machine: %s', (field, table) => {
    expect(readMoves(guide, `\`${field}\``).sort()).toEqual(listMoves(table));
  });
});

describe('the tables of the orders guide', async () => {
  const { holder, sibling, admin, sql } = await openStorefront();
  const { tokenId } = holder;

  /** A client who may order, with these in the cart. */
  const clientWith = async (...items: (Parameters<typeof insertStrain>[1] & { quantity?: number })[]) => {
    const client = await insertClient(sql, tokenId);
    const cart: { strainId: string; quantity: number }[] = [];
    for (const { quantity = 4, ...strain } of items) {
      cart.push({ strainId: (await insertStrain(sql, strain)).id, quantity });
    }
    await insertCart(sql, tokenId, client.id, cart);
    return client;
  };
  const order = (client: { id: string }) =>
    holder.ask('POST', '/dapp/orders', { body: { clientId: client.id } });

  /** Each sentence with a client to whom it applies, and to whom a later one would apply too. */
  const refusals: Readonly<Record<string, () => Promise<{ id: string }>>> = {
    'Client belongs to another holder or digital key': () =>
      insertClient(sql, sibling.tokenId, { isActive: false }),
    'Client is not active': () =>
      insertClient(sql, tokenId, { isActive: false, isKycVerified: false, adminApproval: 'PENDING' }),
    'Client is not verified': () =>
      insertClient(sql, tokenId, { isKycVerified: false, adminApproval: 'PENDING' }),
    'Client is not approved': () => insertClient(sql, tokenId, { adminApproval: 'REJECTED' }),
    'Cart is empty': () => clientWith(),
    'The client has no address to ship to: street and country are needed': async () => {
      const client = await clientWith({ countryCodes: ['DEU'] });
      await sql(`UPDATE clients SET shipping_address1 = '' WHERE id = $1`, [client.id]);
      return client;
    },
    '… is not sold in …': () => clientWith({ isAvailable: false }, { countryCodes: ['DEU'] }),
    '… is not available': () => clientWith({ currency: 'USD', stock: 3 }, { isAvailable: false }),
    'The cart holds … and … is sold in …: order them one after the other': () =>
      clientWith({ stock: 3 }, { currency: 'USD' }),
    '… has only 3 left': () =>
      clientWith({ price: 9_999_999_999.99, stock: 1000, quantity: 1000 }, { stock: 3 }),
    'The order amounts to more than an invoice can hold': () =>
      clientWith({ price: 9_999_999_999.99, stock: 1000, quantity: 1000 }),
  };
  const [refusalRows = []] = readTables(guide, 'Why an order is refused');
  const sentences = refusalRows.flatMap(([sentence = '']) => readCode(sentence));

  it('name every error, in the order in which they are checked', () => {
    expect(sentences).toEqual(Object.keys(refusals));
  });

  it.each(sentences)('have the message of the service: %s', async (sentence) => {
    const reply = await order((await refusals[sentence]?.()) ?? { id: '' });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: expect.stringMatching(toPattern(sentence)),
    });
  });

  /** A new order of four of a strain that had ten. */
  const placeOrder = async () => {
    const { id, orderLines } = dataOf<OrderWithLines>(await order(await clientWith({ stock: 10 })));
    return {
      line: orderLines[0]?.id ?? '',
      move: (change: object): Promise<Reply> => admin.ask('PATCH', `/admin/orders/${id}`, { body: change }),
      ship: (parcel: object = {}): Promise<Reply> =>
        admin.ask('POST', `/admin/orders/${id}/shipments`, { body: { carrier: 'CTT', ...parcel } }),
      refund: (refund: object = {}): Promise<Reply> =>
        admin.ask('POST', `/admin/orders/${id}/refunds`, { body: { reason: 'Broken', ...refund } }),
      readStock: async () => {
        const [row] = await sql<{ stock: number }>(
          'SELECT stock_quantity AS stock FROM strain_locations WHERE strain_id = $1',
          [orderLines[0]?.strain.id],
        );
        return row?.stock;
      },
      readSale: async () => {
        const [sale] = await sql<{ stage: string }>('SELECT stage FROM sales WHERE order_id = $1', [id]);
        return sale?.stage;
      },
    };
  };

  /** Each row with the proof of what it says. */
  const consequences: Readonly<Record<string, () => Promise<void>>> = {
    '`adminApproval` becomes `REJECTED`': async () => {
      const pending = await placeOrder();
      expect(dataOf(await pending.move({ adminApproval: 'REJECTED', rejectionNote: 'No' }))).toMatchObject({
        orderStatus: 'CANCELLED',
        rejectionNote: 'No',
      });
      for (const orderStatus of ['SHIPPED', 'DELIVERED']) {
        const gone = await placeOrder();
        dataOf(await gone.move({ adminApproval: 'VERIFIED', orderStatus }));
        expect((await gone.move({ adminApproval: 'REJECTED' })).status).toBe(403);
        expect((await gone.move({ orderStatus: 'CANCELLED' })).status).toBe(403);
      }
    },
    '`orderStatus` becomes `PROCESSING`, `SHIPPED` or `DELIVERED`': async () => {
      for (const orderStatus of ['PROCESSING', 'SHIPPED', 'DELIVERED']) {
        const { move } = await placeOrder();
        expect((await move({ orderStatus })).status).toBe(403);
        expect(dataOf(await move({ adminApproval: 'VERIFIED', orderStatus }))).toMatchObject({ orderStatus });
      }
    },
    '`orderStatus` becomes `CANCELLED`': async () => {
      const { move, readStock } = await placeOrder();
      expect(await readStock()).toBe(6);
      dataOf(await move({ orderStatus: 'CANCELLED' }));
      expect(await readStock()).toBe(10);
      dataOf(await move({ orderStatus: 'CANCELLED' }));
      expect(await readStock()).toBe(10);
    },
    '`orderStatus` becomes `DELIVERED` or `CANCELLED`': async () => {
      for (const orderStatus of ['DELIVERED', 'CANCELLED']) {
        const { move, readSale } = await placeOrder();
        expect(await readSale()).toBe('ONGOING');
        dataOf(await move({ adminApproval: 'VERIFIED', orderStatus }));
        expect(await readSale()).toBe('CLOSED');
      }
    },
    '`paymentStatus` becomes `PAID` or `REFUNDED`': async () => {
      const { move } = await placeOrder();
      const paid = dataOf<OrderWithLines>(await move({ paymentStatus: 'PAID' }));
      expect(paid).toMatchObject({ paidAmount: paid.totalAmount, refundedAmount: 0 });
      expect(dataOf(await move({ paymentStatus: 'REFUNDED' }))).toMatchObject({
        refundedAmount: paid.totalAmount,
      });
    },
    '`paymentStatus` of a cancelled order changes': async () => {
      const unpaid = await placeOrder();
      dataOf(await unpaid.move({ orderStatus: 'CANCELLED' }));
      const { message } = (await unpaid.move({ paymentStatus: 'PROCESSING' })).envelope;
      expect(guide).toContain(`A new payment cannot start: \`${message}\``);
      const late = dataOf<OrderWithLines>(await unpaid.move({ paymentStatus: 'PAID' }));
      expect(late).toMatchObject({ orderStatus: 'CANCELLED', refundDue: late.totalAmount });
    },
    '`adminApproval` of a cancelled order changes': async () => {
      const { move } = await placeOrder();
      dataOf(await move({ orderStatus: 'CANCELLED' }));
      const { message } = (await move({ adminApproval: 'VERIFIED' })).envelope;
      expect(guide).toContain(`Never: \`${message}\``);
    },
  };
  const [consequenceRows = []] = readTables(guide, 'Side effects of a transition');
  const causes = consequenceRows.map(([cause = '']) => cause);

  it('name every consequence', () => {
    expect(causes).toEqual(Object.keys(consequences));
  });

  it.each(causes)('describe the consequence: %s', async (cause) => {
    expect.hasAssertions();
    await consequences[cause]?.();
  });

  const approved = async () => {
    const placed = await placeOrder();
    dataOf(await placed.move({ adminApproval: 'VERIFIED', paymentStatus: 'PAID' }));
    return placed;
  };
  const unitsOf = (id: string, quantity: number) => ({ orderLines: [{ id, quantity }] });

  it.each<[string, Readonly<Record<string, () => Promise<Reply>>>]>([
    [
      'Ship an order',
      {
        'An order that is CANCELLED is not sent any more': async () => {
          const { move, ship } = await placeOrder();
          dataOf(await move({ orderStatus: 'CANCELLED' }));
          return ship();
        },
        'An order that was refunded is not sent any more': async () => {
          const { refund, ship } = await approved();
          dataOf(await refund());
          return ship();
        },
        'Only an approved order is sent': async () => (await placeOrder()).ship(),
        'Of …, 2 units are left to send': async () => {
          const { ship, line } = await approved();
          dataOf(await ship(unitsOf(line, 2)));
          return ship(unitsOf(line, 3));
        },
        'Nothing is left to send': async () => {
          const { ship } = await approved();
          dataOf(await ship());
          return ship();
        },
      },
    ],
    [
      'Refund an order',
      {
        'The payment of this order is PENDING': async () => (await placeOrder()).refund(),
        'The stock of this order is returned already': async () => {
          const { move, refund } = await approved();
          dataOf(await move({ orderStatus: 'CANCELLED' }));
          return refund({ restock: true });
        },
        'Of …, 1 unit is left to refund': async () => {
          const { refund, line } = await approved();
          dataOf(await refund(unitsOf(line, 3)));
          return refund(unitsOf(line, 2));
        },
        'Of the payment, 7.50 EUR are left to refund': async () => {
          const { move, refund } = await placeOrder();
          const { totalAmount } = dataOf<OrderWithLines>(await move({ paymentStatus: 'PAID' }));
          dataOf(await refund({ amount: totalAmount - 7.5 }));
          return refund({ amount: 7.51 });
        },
      },
    ],
  ])('have every refusal of the service: %s', async (heading, causes) => {
    const [rows = []] = readTables(guide, heading);
    const sentences = rows.flatMap(([sentence = '']) => readCode(sentence));
    expect(sentences).toEqual(Object.keys(causes));
    for (const [sentence, cause] of Object.entries(causes)) {
      expect((await cause()).envelope).toMatchObject({
        statusCode: 403,
        message: expect.stringMatching(toPattern(sentence)),
      });
    }
  });
});
