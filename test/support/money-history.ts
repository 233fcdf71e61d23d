import { randomUUID } from 'node:crypto';
import type { OrderDetails, Payment } from '@keyfront/protocol';
import { expect } from 'vitest';
import { referenceIn } from './payment-data.ts';
import { insertClient, insertStrain } from './storefront-data.ts';

/** What comes back, whoever has asked. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

export type Actor = 'holder' | 'admin' | 'provider';

/** Prepares a request, which can be sent as often as one likes. It fails if the connection is lost on the way. */
export type Prepare = (
  actor: Actor,
  method: string,
  path: string,
  ask?: { readonly body?: object; readonly key?: string },
) => () => Promise<Answer>;

type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

interface MoneyHistory {
  readonly prepare: Prepare;
  readonly sql: Sql;
  readonly tokenId: number;
  readonly random: (below: number) => number;
  readonly orders: number;
  readonly steps: number;
}

const actors = 4;
const initialStock = 1_000;
const attempts = 200;

/**
 * Pays, refunds, ships, cancels and decides a few orders at random, by several actors at once. Whoever does not learn what became of a
 * request sends it again. Then holds what the service has against what must be true of money and goods.
 */
export async function runMoneyHistory({ prepare, sql, tokenId, random, orders, steps }: MoneyHistory) {
  /** Sends a request until its outcome is known. */
  const ask = async (...request: Parameters<Prepare>): Promise<Answer> => {
    const send = prepare(...request);
    for (let attempt = 1; ; attempt++) {
      const answer = await send().catch(() => null);
      // A request with this key may still be running.
      const isUnknown = !answer || answer.status >= 500 || answer.text.includes('IDEMPOTENCY_KEY_IN_USE');
      if (!isUnknown) return answer;
      if (attempt === attempts) throw new Error(`No outcome: ${request[1]} ${request[2]} ${answer?.text}`);
      await new Promise((resolve) => setTimeout(resolve, 5 * Math.min(attempt, 20)));
    }
  };
  const dataOf = <Data>({ status, text }: Answer): Data => {
    expect(status, text).toBeLessThan(300);
    return JSON.parse(text).data as Data;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

  const strains = [];
  for (const price of [12.5, 0.99, 7]) strains.push(await insertStrain(sql, { price, stock: initialStock }));
  const orderIds: string[] = [];
  for (let number = 0; number < orders; number++) {
    const { id: clientId } = await insertClient(sql, tokenId);
    const items = strains.map(({ id: strainId }) => ({ strainId, quantity: 1 + random(4) }));
    const placed = await ask('holder', 'POST', '/dapp/orders', {
      body: { clientId, items },
      key: randomUUID(),
    });
    orderIds.push(dataOf<{ id: string }>(placed).id);
  }
  const read = async (id: string) => dataOf<OrderDetails>(await ask('holder', 'GET', `/dapp/orders/${id}`));

  /** The keys of refunds and shipments, by what the service has answered. */
  const keyed = { done: new Map<string, string>(), refused: new Set<string>() };
  const post = async (path: string, makeBody: (key: string) => object) => {
    const key = `history ${randomUUID()}`;
    const answer = await ask('admin', 'POST', path, { body: makeBody(key), key });
    if (answer.status === 201) keyed.done.set(key, dataOf<{ id: string }>(answer).id);
    else keyed.refused.add(key);
  };
  const someLines = ({ orderLines }: OrderDetails) =>
    orderLines
      .filter(() => random(2) === 0)
      .map(({ id, quantity }) => ({ id, quantity: 1 + random(quantity) }));

  const openLinks = new Map<string, string>();
  const report = async (id: string, status: string, amount: number) => {
    const reference = openLinks.get(id);
    if (!reference) return;
    const { currency } = await read(id);
    await ask('provider', 'POST', '/callbacks/payments', { body: { reference, status, amount, currency } });
  };
  const moves: readonly ((id: string) => Promise<unknown>)[] = [
    (id) => ask('admin', 'PATCH', `/admin/orders/${id}`, { body: { adminApproval: 'VERIFIED' } }),
    (id) =>
      ask('admin', 'PATCH', `/admin/orders/${id}`, {
        body: { orderStatus: pick(['PROCESSING', 'DELIVERED', 'CANCELLED']) },
      }),
    (id) =>
      ask('admin', 'PATCH', `/admin/orders/${id}`, {
        body: { paymentStatus: pick(['PAID', 'PAID', 'REFUNDED', 'FAILED']) },
      }),
    (id) =>
      ask('admin', 'POST', '/admin/orders/decisions', {
        body: { adminApproval: pick(['VERIFIED', 'REJECTED']), ids: [id, pick(orderIds)] },
      }),
    (id) => ask('holder', 'PATCH', `/dapp/orders/${id}`, { body: { orderStatus: 'CANCELLED' } }),
    async (id) => {
      const answer = await ask('holder', 'POST', '/payments/checkout', {
        body: { orderId: id },
        key: randomUUID(),
      });
      if (answer.status === 201) openLinks.set(id, referenceIn(dataOf<{ payUrl: string }>(answer).payUrl));
    },
    async (id) =>
      report(id, pick(['PROCESSING', 'PAID', 'PAID', 'PAID', 'FAILED']), (await read(id)).totalAmount),
    async (id) => report(id, 'REFUNDED', 1 + random(20)),
    async (id) => {
      const lines = someLines(await read(id));
      await post(`/admin/orders/${id}/shipments`, (carrier) =>
        lines.length > 0 && random(2) === 0 ? { carrier, orderLines: lines } : { carrier },
      );
    },
    async (id) =>
      post(`/admin/orders/${id}/refunds`, (reason) => ({
        reason,
        amount: `${1 + random(30)}.${10 + random(90)}`,
      })),
    async (id) => {
      const lines = someLines(await read(id));
      const restock = random(2) === 0;
      await post(`/admin/orders/${id}/refunds`, (reason) =>
        lines.length > 0 ? { reason, restock, orderLines: lines } : { reason, restock },
      );
    },
  ];
  await Promise.all(
    Array.from({ length: actors }, async () => {
      for (let step = 0; step < steps; step++) await pick(moves)(pick(orderIds));
    }),
  );

  // Money: what the order says is the sum of what is recorded, and never more went back than came.
  const found = await Promise.all(orderIds.map(read));
  const cents = (amount: number) => Math.round(amount * 100);
  const sum = <Item>(items: readonly Item[], measure: (item: Item) => number) =>
    items.reduce((total, item) => total + measure(item), 0);
  const isReceived = ({ status }: Payment) => status === 'PAID' || status === 'REFUNDED';
  for (const order of found) {
    const [paid, refunded, total] = [order.paidAmount, order.refundedAmount, order.totalAmount].map(
      cents,
    ) as [number, number, number];
    expect(paid).toBe(sum(order.payments.filter(isReceived), ({ amount }) => cents(amount)));
    expect(refunded).toBe(sum(order.refunds, ({ amount }) => cents(amount)));
    expect(refunded).toBeLessThanOrEqual(paid);
    const prices = new Map(order.orderLines.map(({ id, productAmount }) => [id, cents(productAmount)]));
    const returned = sum(
      order.refunds.flatMap(({ orderLines }) => orderLines),
      ({ id, quantity }) => quantity * (prices.get(id) ?? 0),
    );
    const cost = order.orderStatus === 'CANCELLED' ? 0 : total - returned;
    expect(cents(order.refundDue)).toBe(Math.max(0, paid - refunded - cost));
    const isPaidBack = paid > 0 && paid === refunded;
    expect(order.paymentStatus === 'REFUNDED', JSON.stringify(order)).toBe(isPaidBack);
    expect(order.paymentStatus === 'PAID').toBe(paid > refunded);
    if (order.paymentStatus === 'REFUNDED')
      expect(order.payments.some(({ status }) => status === 'PAID')).toBe(false);

    // Goods: no unit is sent or refunded twice, and nothing of an order that is not approved or is cancelled is sent.
    for (const { id, quantity } of order.orderLines) {
      const units = (lists: readonly { orderLines: readonly { id: string; quantity: number }[] }[]) =>
        sum(
          lists.flatMap(({ orderLines }) => orderLines).filter((line) => line.id === id),
          (line) => line.quantity,
        );
      expect(units(order.shipments)).toBeLessThanOrEqual(quantity);
      expect(units(order.refunds)).toBeLessThanOrEqual(quantity);
    }
    if (order.shipments.length > 0) {
      expect(order.adminApproval).toBe('VERIFIED');
      expect(['PROCESSING', 'SHIPPED', 'DELIVERED']).toContain(order.orderStatus);
    }
  }

  // Stock: what is not there is in an order that holds it, or was refunded without coming back. A refund after a cancellation changes nothing.
  const cancellations = await sql<{ id: string; refunded: number }>(
    `SELECT snapshot->>'id' AS id, (snapshot->>'refunded_amount')::float8 AS refunded FROM keyfront.events
     WHERE token_id = $1 AND type = 'order.cancelled'`,
    [tokenId],
  );
  const refundedBefore = new Map(cancellations.map(({ id, refunded }) => [id, cents(refunded)]));
  for (const { id } of strains) {
    const held = sum(found, (order) => {
      const line = order.orderLines.find(({ strain }) => strain.id === id);
      if (!line) return 0;
      const unitsOf = (refunds: OrderDetails['refunds']) =>
        sum(
          refunds.flatMap(({ orderLines }) => orderLines).filter((each) => each.id === line.id),
          ({ quantity }) => quantity,
        );
      const restocked = unitsOf(order.refunds.filter(({ isRestocked }) => isRestocked));
      if (order.orderStatus !== 'CANCELLED') return line.quantity - restocked;
      let amount = 0;
      const earlier = order.refunds.filter((refund) => {
        amount += cents(refund.amount);
        return amount <= (refundedBefore.get(order.id) ?? 0);
      });
      return unitsOf(earlier) - restocked;
    });
    const [location] = await sql<{ stock: number }>(
      'SELECT stock_quantity AS stock FROM keyfront.strain_locations WHERE strain_id = $1',
      [id],
    );
    expect(location?.stock).toBe(initialStock - held);
  }

  // Keys: what was acknowledged is there once, and what was refused is not there.
  const written = new Map(
    found
      .flatMap(({ refunds, shipments }) => [
        ...refunds.map(({ reason, id }) => [reason, id] as const),
        ...shipments.map(({ carrier, id }) => [carrier, id] as const),
      ])
      .filter(([key]) => key.startsWith('history ')),
  );
  const rows = await sql<{ key: string }>(
    `SELECT reason AS key FROM keyfront.refunds WHERE token_id = $1 AND reason LIKE 'history %'
     UNION ALL SELECT carrier FROM keyfront.shipments WHERE token_id = $1 AND carrier LIKE 'history %'`,
    [tokenId],
  );
  expect(rows.length).toBe(written.size);
  expect(written).toEqual(keyed.done);
  for (const key of keyed.refused) expect(written.has(key)).toBe(false);

  // Events: one for each movement of money and each parcel.
  const events = await sql<{ type: string; events: number }>(
    `SELECT type, count(*)::integer AS events FROM keyfront.events
     WHERE token_id = $1 AND type IN ('payment.paid', 'payment.refunded', 'shipment.created') GROUP BY 1`,
    [tokenId],
  );
  const counted = Object.fromEntries(events.map((row) => [row.type, row.events]));
  expect(counted['payment.paid'] ?? 0).toBe(sum(found, ({ payments }) => payments.filter(isReceived).length));
  expect(counted['payment.refunded'] ?? 0).toBe(sum(found, ({ refunds }) => refunds.length));
  expect(counted['shipment.created'] ?? 0).toBe(sum(found, ({ shipments }) => shipments.length));
  return { orders: found, keys: written.size };
}
