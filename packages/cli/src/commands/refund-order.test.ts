import { describe, expect, it } from 'vitest';
import { administrator, createHarness, failure, success } from '../../test/cli-harness.ts';

const orderId = '019a8f3e-7c00-7000-8000-000000000501';
const lineId = '019a8f3e-7c00-7000-8000-000000000601';
const order = {
  id: orderId,
  invoiceNumber: 'KF-7',
  currency: 'EUR',
  paidAmount: 75,
  refundedAmount: 10.1,
  client: { firstName: 'Ada', lastName: 'Exa\u001b[31mmple' },
  orderLines: [{ id: lineId, productAmount: 12.55 }],
};
const refund = { id: '019a8f3e-7c00-7000-8000-000000000801', orderId, amount: 12.5, currency: 'EUR' };
const respond = ({ method }: { method: string }) => success(method === 'GET' ? order : refund);
const common = ['orders', 'refund', orderId, '--reason', 'Broken'];

describe('keyfront orders refund', () => {
  it.each([
    [[], {}],
    [['--restock'], { restock: true }],
    [['--amount', '12.50'], { amount: '12.50' }],
    [['--line', `${lineId}=2`, '--restock'], { orderLines: [{ id: lineId, quantity: 2 }], restock: true }],
  ])('sends what is refunded with %j, without a question outside of a terminal', async (options, body) => {
    const harness = createHarness({ env: administrator, respond });
    expect(await harness.run(...common, ...options)).toEqual({
      code: 0,
      stdout: `Recorded a refund of 12.50 EUR for order ${orderId}.\n`,
      stderr: '',
    });
    expect(harness.requests).toMatchObject([{ method: 'POST', target: `/admin/orders/${orderId}/refunds` }]);
    expect(JSON.parse(String(harness.requests[0]?.body))).toEqual({ reason: 'Broken', ...body });
    expect(harness.requests[0]?.headers.get('idempotency-key')).toMatch(/^.{16,}$/);
  });

  it.each([
    [[], 'Refund 64.90 of 64.90 EUR that Ada Exa [31mmple paid for KF-7? [y/N] '],
    [['--amount', '5'], 'Refund 5 of 64.90 EUR that Ada Exa [31mmple paid for KF-7? [y/N] '],
    [
      ['--line', `${lineId}=2`, '--restock'],
      'Refund 25.10 of 64.90 EUR that Ada Exa [31mmple paid for KF-7 and return the units to the stock? [y/N] ',
    ],
  ])('asks in a terminal, with %j', async (options, question) => {
    const asked = createHarness({ env: administrator, respond, isInteractive: true, stdin: 'no\n' });
    expect(await asked.run(...common, ...options)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(question),
    });
    expect(asked.requests.map(({ method }) => method)).toEqual(['GET']);
    const agreed = createHarness({ env: administrator, respond, isInteractive: true, stdin: 'y\n' });
    expect((await agreed.run(...common, ...options)).code).toBe(0);
    expect(agreed.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('does not ask with --yes, and prints JSON', async () => {
    const harness = createHarness({ env: administrator, respond, isInteractive: true });
    const { stdout } = await harness.run(...common, '--yes', '--json', '--idempotency-key', 'refund-7');
    expect(JSON.parse(stdout)).toEqual(refund);
    expect(harness.requests.map(({ method }) => method)).toEqual(['POST']);
    expect(harness.requests[0]?.headers.get('idempotency-key')).toBe('refund-7');
  });

  it.each([
    [
      ['--amount', '5', '--line', `${lineId}=1`],
      /'--line <line-id=quantity>' cannot be used with option '--amount/,
    ],
    [['--amount', '5', '--restock'], /'--restock' cannot be used with option '--amount/],
  ])('refuses %j', async (options, message) => {
    const harness = createHarness({ env: administrator, respond });
    const { code, stderr } = await harness.run(...common, ...options);
    expect([code, harness.requests.length]).toEqual([2, 0]);
    expect(stderr).toMatch(message);
  });

  it('says what the service refuses, also as JSON', async () => {
    const message = 'Of the payment, 64.90 EUR are left to refund';
    const refused = () => failure(403, message, { code: 'REFUND_TOO_LARGE' });
    const harness = createHarness({ env: administrator, respond: refused });
    expect(await harness.run(...common, '--amount', '90')).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: ${message} (REFUND_TOO_LARGE)\n`,
    });
    const { stderr } = await harness.run(...common, '--amount', '90', '--json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'REFUND_TOO_LARGE', status: 403, exitCode: 4 });
  });

  it('needs an administrator', async () => {
    expect(await createHarness().run(...common)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: Only an administrator refunds orders\. Sign in .+ --admin /),
    });
  });
});
