import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { administrator, createHarness, failure, type SentRequest, success } from '../../test/cli-harness.ts';

const order = {
  id: '019a8f3e-7c00-7000-8000-000000000501',
  invoiceNumber: 'KF-7',
  orderStatus: 'PENDING',
  paymentStatus: 'PAID',
  adminApproval: 'VERIFIED',
  totalAmount: 75,
  currency: 'EUR',
  createdAt: '2026-11-15T09:30:00.000Z',
  client: { firstName: 'Ada', lastName: 'Example' },
};
const respond = () =>
  success({ orders: [order], pageMetaDto: { page: 1, pageCount: 1, hasNextPage: false } });

describe('keyfront orders list', () => {
  it('prints a table', async () => {
    const { stdout } = await createHarness({ respond }).run('orders', 'list');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'INVOICE', 'CLIENT', 'STATUS', 'PAYMENT', 'APPROVAL', 'TOTAL', 'PLACED'],
      [order.id, 'KF-7', 'Ada Example', 'PENDING', 'PAID', 'VERIFIED', '75.00 EUR', order.createdAt],
      [''],
    ]);
  });

  it('has the filters of the API, with the flags of the export', async () => {
    const harness = createHarness({ respond });
    await harness.run(
      ...[
        'orders',
        'list',
        '--from',
        '2026-11-01',
        '--to',
        '2026-11-30',
        '--status',
        'PENDING',
        '--payment',
        'PAID',
      ],
      ...['--approval', 'VERIFIED', '--client-id', '7', '--order-by', 'totalAmount:desc', '--json'],
    );
    const [request] = harness.requests as [SentRequest];
    expect(Object.fromEntries(new URL(request.target, 'http://x').searchParams)).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      status: 'PENDING',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
      clientId: '7',
      orderBy: 'totalAmount:desc',
      take: '51',
    });
  });

  it('sends an empty id, which the service refuses', async () => {
    const harness = createHarness({
      respond: () => failure(400, 'Validation failed', { data: ['clientId must be a UUID'] }),
    });
    expect(await harness.run('orders', 'list', '--client-id', '')).toMatchObject({
      code: 4,
      stderr: 'error: --client-id must be a UUID\n',
    });
    expect(harness.requests[0]?.target).toContain('clientId=&');
  });
});

describe('keyfront orders get', () => {
  it('prints the order', async () => {
    const harness = createHarness({ respond: () => success(order) });
    expect(JSON.parse((await harness.run('orders', 'get', order.id)).stdout)).toEqual(order);
    expect((await harness.run('orders', 'get', order.id, '--json')).stdout).toBe(
      `${JSON.stringify(order)}\n`,
    );
    expect(harness.requests[0]).toMatchObject({ method: 'GET', target: `/dapp/orders/${order.id}` });
  });

  it('names its argument', async () => {
    const respond = () => failure(400, 'Validation failed', { data: ['orderId must be a UUID'] });
    expect(await createHarness({ respond }).run('orders', 'get', '7')).toMatchObject({
      code: 4,
      stderr: 'error: <order-id> must be a UUID\n',
    });
  });
});

describe('keyfront orders invoice', () => {
  const page = '<!doctype html><title>Invoice KF-7</title>';
  const respond = () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });

  it('prints the page, or writes it to a file', async () => {
    const harness = createHarness({ respond });
    expect(await harness.run('orders', 'invoice', order.id)).toMatchObject({ code: 0, stdout: page });
    expect(harness.requests[0]).toMatchObject({ target: `/dapp/orders/${order.id}/invoice` });
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-invoice-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'invoice.html');
    expect(await harness.run('orders', 'invoice', order.id, '-o', file)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Wrote ${file}.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(page);
  });
});

it.each([
  [['list'], '/admin/orders?take=51', respond],
  [['get', order.id], `/admin/orders/${order.id}`, () => success(order)],
  [
    ['invoice', order.id],
    `/admin/orders/${order.id}/invoice`,
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  ],
])(
  'keyfront orders %j reads the orders of the platform for an administrator',
  async (args, target, answer) => {
    const harness = createHarness({ env: administrator, respond: answer });
    expect((await harness.run('orders', ...args)).code).toBe(0);
    expect(harness.requests).toMatchObject([{ method: 'GET', target }]);
  },
);
