import { describe, expect, it } from 'vitest';
import { type DemoData, generateDemo } from './generate-demo.ts';

const today = new Date('2026-11-15T14:20:00.000Z');
const midnight = '2026-11-15T00:00:00.000Z';

const generate = (seed: number, today: Date) =>
  generateDemo({ seed, today, makeInvoiceNumber: (pickBelow) => String(pickBelow(2 ** 32)) });

// Many seeds and days: what holds, holds for all of them.
const demos = Array.from({ length: 12 }, (_, index) => {
  const day = new Date(today.getTime() - index * 23 * 86_400_000);
  return { day, demo: generate(index + 1, day) };
});
const demo = generate(20, today);

function cents(amount: string): number {
  expect(amount).toMatch(/^\d+\.\d{2}$/);
  return Number(amount.replace('.', ''));
}

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function valuesOf<Row, Value>(rows: readonly Row[], select: (row: Row) => Value): Set<Value> {
  return new Set(rows.map(select));
}

describe('generateDemo', () => {
  it('is the same for the same seed and day, whatever the hour', { tags: ['long'] }, () => {
    expect(generate(20, new Date('2026-11-15T23:59:59.999Z'))).toEqual(demo);
    expect(generate(21, today)).not.toEqual(demo);
    expect(generate(20, new Date('2026-11-16T00:00:00.000Z'))).not.toEqual(demo);
  });

  it('has two holders with two digital keys each', () => {
    expect(demo.holders.map(({ tokenIds, primaryTokenId }) => ({ tokenIds, primaryTokenId }))).toEqual([
      { tokenIds: [1001, 1002], primaryTokenId: 1001 },
      { tokenIds: [2001, 2002], primaryTokenId: 2001 },
    ]);
    expect(demo.planets).toHaveLength(20);
    expect(demo.strains).toHaveLength(60);
    expect(demo.digitalKeys).toHaveLength(4);
    expect(demo.clients).toHaveLength(4 * 28);
    expect(demo.orders).toHaveLength(4 * 200);
  });

  it('shows every state at every digital key', () => {
    for (const { demo } of demos) {
      for (const { tokenId } of demo.digitalKeys) {
        const ofKey = <Row extends { tokenId: number }>(rows: readonly Row[]) =>
          rows.filter((row) => row.tokenId === tokenId);
        const orders = ofKey(demo.orders);
        expect(valuesOf(orders, ({ orderStatus }) => orderStatus).size).toBe(5);
        expect(valuesOf(orders, ({ paymentStatus }) => paymentStatus).size).toBe(5);
        expect(valuesOf(orders, ({ adminApproval }) => adminApproval).size).toBe(3);
        const clients = ofKey(demo.clients);
        expect(valuesOf(clients, ({ adminApproval }) => adminApproval).size).toBe(3);
        expect(
          clients.filter(({ adminApproval, isActive }) => adminApproval === 'VERIFIED' && !isActive),
        ).toHaveLength(1);
        expect(valuesOf(ofKey(demo.sales), ({ stage }) => stage).size).toBe(3);
      }
      expect(valuesOf(demo.nftSales, ({ state }) => state).size).toBe(4);
      expect(valuesOf(demo.transactions, ({ type }) => type).size).toBe(5);
    }
  });

  it('adds every order up to its lines', () => {
    const lines = groupBy(demo.orderLines, ({ orderId }) => orderId);
    for (const order of demo.orders) {
      const ofOrder = lines.get(order.id) ?? [];
      expect(ofOrder.length).toBeGreaterThanOrEqual(1);
      expect(ofOrder.length).toBeLessThanOrEqual(4);
      expect(valuesOf(ofOrder, ({ strainId }) => strainId).size).toBe(ofOrder.length);
      expect(cents(order.totalAmount) - cents(order.deliveryCharge)).toBe(
        ofOrder.reduce((sum, { unitPrice, quantity }) => sum + cents(unitPrice) * quantity, 0),
      );
      expect(order.totalQuantity).toBe(ofOrder.reduce((sum, { quantity }) => sum + quantity, 0));
    }
  });

  it('returns stock back for what was cancelled or rejected, and for nothing else', () => {
    for (const order of demo.orders) {
      const ended = order.orderStatus === 'CANCELLED' || order.adminApproval === 'REJECTED';
      expect(order.stockReturnedAt !== null).toBe(ended);
      expect(order.rejectionNote !== null).toBe(order.adminApproval === 'REJECTED');
      if (order.orderStatus === 'DELIVERED') expect(order.paymentStatus).toBe('PAID');
    }
  });

  it('lets only verified clients order, after they were approved', { tags: ['long'] }, () => {
    for (const { demo } of demos) {
      const clients = new Map(demo.clients.map((client) => [client.id, client]));
      for (const order of demo.orders) {
        const client = clients.get(order.clientId);
        expect(client).toMatchObject({
          tokenId: order.tokenId,
          adminApproval: 'VERIFIED',
          isKycVerified: true,
        });
        expect(order.createdAt > (client?.createdAt ?? '')).toBe(true);
      }
    }
  });

  it('says when an identity was verified: after the client was made, and before the approval', () => {
    for (const { createdAt, isKycVerified, kycVerifiedAt, approvedAt } of demo.clients) {
      expect(kycVerifiedAt !== null).toBe(isKycVerified);
      if (kycVerifiedAt === null) continue;
      expect(kycVerifiedAt > createdAt && kycVerifiedAt < String(approvedAt)).toBe(true);
    }
  });

  it('makes invoice numbers until each order has one of its own', () => {
    const made: string[] = [];
    const { orders } = generateDemo({
      seed: 20,
      today,
      makeInvoiceNumber: (pickBelow) => {
        made.push(String(pickBelow(1_000)));
        return made.at(-1) ?? '';
      },
    });
    expect(orders.map(({ invoiceNumber }) => invoiceNumber)).toEqual([...new Set(made)]);
    expect(orders.length).toBeLessThan(made.length);
  });

  it('writes to nobody: e-mail addresses are examples, and differ within a digital key', () => {
    for (const clients of groupBy(demo.clients, ({ tokenId }) => tokenId).values()) {
      expect(valuesOf(clients, ({ email }) => email.toLowerCase()).size).toBe(clients.length);
    }
    for (const { email } of [...demo.clients, ...demo.holders]) {
      expect(email).toMatch(/^[a-z]+\.[a-z]+@example\.(com|org|net)$/);
    }
  });

  it('fills in addresses that a parcel service would read', () => {
    for (const client of demo.clients) {
      expect(client.phoneCode).toMatch(/^\+\d{2,3}$/);
      expect(client.phoneCountryCode).toMatch(/^[A-Z]{2}$/);
      expect(client.contactNumber).toMatch(/^\d{9,10}$/);
      expect(client.shippingCountryCode).toMatch(/^[A-Z]{3}$/);
      expect(client.shippingAddress1).toMatch(/\d/);
      expect(client.shippingPostalCode).toMatch(/^[A-Z0-9][A-Z0-9 -]+$/);
    }
  });

  it('has nothing in the future but the end of offers, and nothing changed before it was made', () => {
    for (const { day, demo } of demos) {
      const latest = `${day.toISOString().slice(0, 10)}T00:00:00.000Z`;
      for (const [table, rows] of Object.entries(demo)) {
        expect(
          rows.flatMap((row: object) => findWrongTimes(row, latest).map((wrong) => `${table}.${wrong}`)),
        ).toEqual([]);
      }
    }
  });

  it('grows slowly, and rests on Sundays', () => {
    const orders = demos.flatMap(({ demo }) => demo.orders);
    const onDay = (weekday: number) =>
      orders.filter(({ createdAt }) => new Date(createdAt).getUTCDay() === weekday);
    expect(onDay(5).length).toBeGreaterThan(1.5 * onDay(0).length);
    const ages = demo.orders.map(
      ({ createdAt }) => (Date.parse(midnight) - Date.parse(createdAt)) / 86_400_000,
    );
    expect(Math.max(...ages)).toBeLessThanOrEqual(120);
    expect(ages.filter((age) => age < 60).length).toBeGreaterThan(ages.filter((age) => age >= 60).length);
  });

  it('names a client for every answer that an order can get', () => {
    for (const { demo } of demos) for (const holder of demo.holders) expectTrialClients(demo, holder);
  });

  it('ends NFT sales within the 30 days that the service gives them', () => {
    for (const { createdAt, updatedAt, expiresAt } of demo.nftSales) {
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 60 * 60 * 1000);
      expect(Date.parse(updatedAt)).toBeLessThan(Date.parse(expiresAt));
    }
  });

  it('ties each order to one sale, and leads to no order', () => {
    const orders = new Map(demo.orders.map((order) => [order.id, order]));
    for (const sale of demo.sales) {
      if (sale.orderId === null) expect(sale.stage).toBe('LEADS');
      else expect(orders.get(sale.orderId)).toMatchObject({ clientId: sale.clientId, tokenId: sale.tokenId });
    }
    const named = demo.sales.filter(({ orderId }) => orderId !== null);
    expect(valuesOf(named, ({ orderId }) => orderId).size).toBe(demo.orders.length);
    expect(named).toHaveLength(demo.orders.length);
  });
});

/** The fields whose time has another form, is in the future, or is before the creation. */
function findWrongTimes(row: object, latest: string): string[] {
  const wrong = Object.entries(row).flatMap(([field, value]) => {
    if (!field.endsWith('At') || value === null || field === 'expiresAt') return [];
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
    return isTime && value <= latest ? [] : [`${field} ${value}`];
  });
  const isChangedEarlier =
    'createdAt' in row && 'updatedAt' in row && String(row.updatedAt) < String(row.createdAt);
  return isChangedEarlier ? [...wrong, 'updatedAt'] : wrong;
}

function expectTrialClients(
  demo: DemoData,
  { clientIds, primaryTokenId }: DemoData['holders'][number],
): void {
  const find = (id: string) => demo.clients.find((client) => client.id === id);
  const cartOf = (id: string) => {
    const cart = demo.carts.find(({ clientId }) => clientId === id);
    return demo.cartItems.filter(({ cartId }) => cartId === cart?.id);
  };
  const canOrder = {
    tokenId: primaryTokenId,
    adminApproval: 'VERIFIED',
    isKycVerified: true,
    isActive: true,
  };

  expect(find(clientIds.ready)).toMatchObject(canOrder);
  expect(cartOf(clientIds.ready).length).toBeGreaterThanOrEqual(2);
  for (const { strainId, quantity } of cartOf(clientIds.ready)) {
    const strain = demo.strains.find(({ id }) => id === strainId);
    expect(strain?.isAvailable).toBe(true);
    const location = demo.strainLocations.find(
      (each) => each.strainId === strainId && each.countryCode === find(clientIds.ready)?.shippingCountryCode,
    );
    expect(location?.stockQuantity).toBeGreaterThan(10 * quantity);
  }
  expect(demo.sales.find(({ clientId }) => clientId === clientIds.ready)?.stage).toBe('LEADS');
  expect(find(clientIds.pending)).toMatchObject({ tokenId: primaryTokenId, adminApproval: 'PENDING' });
  expect(cartOf(clientIds.pending).length).toBeGreaterThanOrEqual(1);
  expect(find(clientIds.rejected)).toMatchObject({ tokenId: primaryTokenId, adminApproval: 'REJECTED' });
  expect(find(clientIds.rejected)?.rejectionNote).toBeTruthy();
  expect(cartOf(clientIds.rejected).length).toBeGreaterThanOrEqual(1);
  expect(find(clientIds.emptyCart)).toMatchObject(canOrder);
  expect(cartOf(clientIds.emptyCart)).toEqual([]);
}
