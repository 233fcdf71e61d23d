import { randomUUID } from 'node:crypto';
import { statement } from '@keyfront/postgres';
import {
  type AuditPage,
  type Client,
  type OrderDetails,
  type OrderHistory,
  type OrderWithLines,
  operationList,
  sandboxOperations,
} from '@keyfront/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { systemScope } from '../packages/server/src/database/transactions/scope.ts';
import { createDemoProvider } from '../packages/server/src/resources/demo/demo-provider.ts';
import { verifyInstallation } from '../packages/server/src/resources/sandbox/verify-installation.ts';
import { followEvents } from './support/event-data.ts';
import { stockOf } from './support/order-data.ts';
import { dataOf, openSandbox, openStorefront, type TestCaller } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';
import { dumpTables } from './support/table-dump.ts';
import { startTestApp, testSecret } from './support/test-app.ts';
import { createTestDatabase, runSql } from './support/test-database.ts';

const sandbox = await openSandbox();
const { holder, sibling, stranger, admin, sql } = sandbox;

const ask = async <Data>(caller: TestCaller, method: string, path: string, body?: object) =>
  dataOf<Data>(await caller.ask(method, path, body ? { body } : {}));

async function placeOrder(stock = 10): Promise<{ id: string; clientId: string; strainId: string }> {
  const [{ id: clientId }, { id: strainId }] = [
    await insertClient(sql, holder.tokenId),
    await insertStrain(sql, { stock }),
  ];
  const body = { clientId, items: [{ strainId, quantity: 2 }] };
  return { id: (await ask<OrderWithLines>(holder, 'POST', '/dapp/orders', body)).id, clientId, strainId };
}

describe('a sandbox', () => {
  it('lets a holder take a client and an order through everything that others decide elsewhere', async () => {
    const { id: clientId } = await ask<Client>(holder, 'POST', '/dapp/clients', {
      firstName: 'Ada',
      lastName: 'Example',
      email: `${randomUUID()}@example.org`,
      shipping: { address1: 'Rua 1', city: 'Lisboa', countryCode: 'PRT' },
    });
    const events = followEvents(holder);
    const approved = await ask<Client>(holder, 'PATCH', `/sandbox/clients/${clientId}`, {
      adminApproval: 'VERIFIED',
    });
    expect(approved).toMatchObject({ id: clientId, adminApproval: 'VERIFIED' });
    const verified = { status: 'VERIFIED' };
    await ask(holder, 'PUT', `/sandbox/clients/${clientId}/kyc-status`, verified);
    const { id: strainId } = await insertStrain(sql);
    const { id } = await ask<OrderWithLines>(holder, 'POST', '/dapp/orders', {
      clientId,
      items: [{ strainId, quantity: 1 }],
    });
    const report = (status: string) => ask(holder, 'PUT', `/sandbox/orders/${id}/payment-status`, { status });
    expect(await report('FAILED')).toMatchObject({ status: 'FAILED' });
    expect(await report('FAILED')).toMatchObject({ status: 'FAILED' });
    expect(await report('PAID')).toMatchObject({ status: 'PAID' });
    expect(await report('PAID')).toMatchObject({ status: 'PAID' });
    await ask(holder, 'PATCH', `/sandbox/orders/${id}`, { adminApproval: 'VERIFIED' });
    await ask(holder, 'POST', `/sandbox/orders/${id}/shipments`, {
      carrier: 'Comet',
      trackingNumber: 'C-1',
    });
    await ask(holder, 'PATCH', `/sandbox/orders/${id}`, { orderStatus: 'DELIVERED' });
    expect(await report('REFUNDED')).toMatchObject({ status: 'REFUNDED' });

    const order = await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`);
    expect(order).toMatchObject({ orderStatus: 'DELIVERED', paymentStatus: 'REFUNDED', refundDue: 0 });
    expect(order.payments.map(({ status }) => status)).toEqual(['FAILED', 'REFUNDED']);
    expect(order.shipments).toMatchObject([{ carrier: 'Comet', trackingNumber: 'C-1' }]);
    const decided = [
      ...['client.approved', 'client.kyc_verified', 'order.created', 'payment.failed', 'payment.paid'],
      ...['order.approved', 'shipment.created', 'order.delivered', 'payment.refunded'],
    ];
    const told = (await events.waitFor(...decided)).map(({ type }) => type);
    expect(told.filter((type) => decided.includes(type))).toEqual(decided);

    // The log names who has decided, and the history which part they have played.
    const { history } = await ask<OrderHistory>(holder, 'GET', `/dapp/orders/${id}/history`);
    expect(new Set(history.map(({ author }) => author))).toEqual(
      new Set(['HOLDER', 'ADMINISTRATOR', 'SERVICE']),
    );
    const audit = await ask<AuditPage>(admin, 'GET', `/admin/audit?subjectId=${id}`);
    expect(new Set(audit.entries.map(({ administrator, provider }) => administrator ?? provider))).toEqual(
      new Set([holder.account.address, 'PAYMENT']),
    );
  });

  it('keeps the rules of orders and stock', async () => {
    const { id, strainId } = await placeOrder();
    const refused = await holder.ask('POST', `/sandbox/orders/${id}/shipments`, {
      body: { carrier: 'Comet' },
    });
    expect([refused.status, refused.envelope.code]).toEqual([403, 'ORDER_NOT_APPROVED']);
    expect(await stockOf(sql, strainId)).toBe(8);
    const rejected = await ask(holder, 'PATCH', `/sandbox/orders/${id}`, {
      adminApproval: 'REJECTED',
      rejectionNote: 'No',
    });
    expect(rejected).toMatchObject({ orderStatus: 'CANCELLED', rejectionNote: 'No' });
    expect(await stockOf(sql, strainId)).toBe(10);
    const paid = await holder.ask('PUT', `/sandbox/orders/${id}/payment-status`, {
      body: { status: 'PAID' },
    });
    expect([paid.status, paid.envelope.code]).toEqual([403, 'CHECKOUT_REFUSED']);
  });

  it('reports to the checkout that the storefront has opened', async () => {
    const { id } = await placeOrder();
    await ask(holder, 'POST', '/payments/checkout', { orderId: id });
    await ask(holder, 'PUT', `/sandbox/orders/${id}/payment-status`, { status: 'PAID' });
    const { payments } = await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`);
    expect(payments.map(({ status }) => status)).toEqual(['PAID']);
  });

  it('gives nobody else a hold on what belongs to a digital key, not even its holder for another one', async () => {
    const { id, clientId } = await placeOrder();
    const attempts: [string, string, object][] = [
      ['PATCH', `/sandbox/clients/${clientId}`, { adminApproval: 'REJECTED' }],
      ['PUT', `/sandbox/clients/${clientId}/kyc-status`, { status: 'REJECTED' }],
      ['PATCH', `/sandbox/orders/${id}`, { adminApproval: 'VERIFIED' }],
      ['PUT', `/sandbox/orders/${id}/payment-status`, { status: 'PAID' }],
      ['POST', `/sandbox/orders/${id}/shipments`, { carrier: 'Comet' }],
    ];
    const before = await dumpTables(sql);
    for (const [method, path, body] of attempts) {
      for (const caller of [stranger, sibling, stranger.signedIn]) {
        const { status, envelope } = await caller.ask(method, path, { body });
        expect([path, status, envelope.code]).toEqual([path, 403, 'NOT_OWNED']);
      }
    }
    expect(await dumpTables(sql)).toEqual(before);
  });

  it('says what it is: in each response, on each page and on paper', async () => {
    const { origin } = sandbox.service;
    for (const path of ['/api/v1/public/healthStatus', '/nowhere', '/docs']) {
      expect((await fetch(origin + path)).headers.get('keyfront-sandbox')).toBe('on');
    }
    for (const path of ['/docs', '/docs/guides/orders']) {
      expect(await (await fetch(origin + path)).text()).toMatch(/Keyfront Sandbox/);
    }
    const { id } = await placeOrder();
    for (const [caller, path] of [
      [holder, `/dapp/orders/${id}/invoice`],
      [admin, `/admin/orders/${id}/packing-slip`],
    ] as const) {
      expect((await caller.ask('GET', path)).text).toContain('<p class="notice">Sandbox.');
    }
  });

  it('sends one parcel for one Idempotency-Key, however many requests come at once', async () => {
    const { id } = await placeOrder();
    await ask(holder, 'PATCH', `/sandbox/orders/${id}`, { adminApproval: 'VERIFIED' });
    const { orderLines } = await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`);
    const body = { carrier: 'Comet', orderLines: [{ id: orderLines[0]?.id, quantity: 1 }] };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => holder.ask('POST', `/sandbox/orders/${id}/shipments`, { body, headers });
    await Promise.all(Array.from({ length: 6 }, send));
    const { shipments } = await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`);
    expect(shipments).toHaveLength(1);
  });

  it('leaves a failed payment as it is when a refund of it is refused', async () => {
    const { id } = await placeOrder();
    const report = (status: string) =>
      holder.ask('PUT', `/sandbox/orders/${id}/payment-status`, { body: { status } });
    await report('FAILED');
    const before = await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`);
    expect(await report('REFUNDED')).toMatchObject({
      status: 403,
      envelope: { code: 'ORDER_TRANSITION_REFUSED' },
    });
    expect(await ask<OrderDetails>(holder, 'GET', `/dapp/orders/${id}`)).toEqual(before);
  });
});

describe('the pages of the providers in a sandbox', () => {
  it('are there without the demo, and are marked', async () => {
    const providers = {
      KYC: createDemoProvider('KYC', testSecret),
      PAYMENT: createDemoProvider('PAYMENT', testSecret),
    };
    const service = await startTestApp({ sandbox: true, providers });
    afterAll(() => service.close());
    const reference = randomUUID();
    const signature = providers.PAYMENT.signReference?.(reference);
    const page = await fetch(`${service.origin}/demo/payment?reference=${reference}&signature=${signature}`);
    expect([page.status, await page.text()]).toEqual([
      404,
      expect.stringContaining('<p class="badge">Sandbox</p>'),
    ]);
  });
});

describe('any other service', () => {
  it('has nothing of it', async () => {
    const { service, holder: caller } = await openStorefront();
    for (const { method, path } of Object.values(sandboxOperations)) {
      const filled = path.replace(/\{\w+\}/, randomUUID());
      const { status, envelope, headers } = await caller.ask(method, filled, { body: {} });
      expect([filled, status, envelope.code]).toEqual([filled, 404, 'ROUTE_NOT_FOUND']);
      expect(headers.get('keyfront-sandbox')).toBeNull();
    }
    for (const path of ['/demo/payment', '/demo/kyc']) {
      expect((await fetch(service.origin + path)).status).toBe(404);
    }
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const count = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
    expect(count).toBe(operationList.length - Object.keys(sandboxOperations).length);
  });

  it('cannot delete an order or a client, whoever asks its database', async () => {
    const { service } = await openStorefront();
    for (const table of ['orders', 'clients', 'order_lines', 'order_history', 'shipments', 'refunds']) {
      const remove = statement('', `DELETE FROM ${table}`);
      await expect(service.database.transaction(systemScope, (tx) => tx(remove))).rejects.toThrow(
        `Rows of ${table} are deleted only in a sandbox`,
      );
    }
  });
});

describe('a database', () => {
  const noSandbox = /KEYFRONT_SANDBOX is on, but the database was not created by a sandbox/;
  const isSandbox = /The database belongs to a sandbox.*set KEYFRONT_SANDBOX=on/;

  it.each([
    [true, isSandbox],
    [false, noSandbox],
  ])('remembers whether it is one of a sandbox (%s)', async (first, refusal) => {
    const test = await createTestDatabase();
    try {
      await verifyInstallation(test.database, first);
      await verifyInstallation(test.database, first);
      await expect(verifyInstallation(test.database, !first)).rejects.toThrow(refusal);
      await verifyInstallation(test.database, first);
      const change = statement('', 'UPDATE installation SET is_sandbox = NOT is_sandbox');
      await expect(test.database.transaction(systemScope, (tx) => tx(change))).rejects.toThrow(
        'permission denied',
      );
    } finally {
      await test.close();
    }
  });

  it('that has holders never becomes one of a sandbox', async () => {
    const test = await createTestDatabase();
    try {
      await runSql(test.ownerUrl, 'INSERT INTO keyfront.holders (wallet_address) VALUES ($1)', [
        `0x${'a'.repeat(40)}`,
      ]);
      await expect(verifyInstallation(test.database, true)).rejects.toThrow(noSandbox);
      await verifyInstallation(test.database, false);
    } finally {
      await test.close();
    }
  });
});
