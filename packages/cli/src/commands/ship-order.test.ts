import { describe, expect, it } from 'vitest';
import { administrator, baseUrl, createHarness, failure, success } from '../../test/cli-harness.ts';

const orderId = '019a8f3e-7c00-7000-8000-000000000501';
const [first, second] = ['019a8f3e-7c00-7000-8000-000000000601', '019a8f3e-7c00-7000-8000-000000000602'];
const shipment = { id: '019a8f3e-7c00-7000-8000-000000000701', orderId, carrier: 'DHL', orderLines: [] };

describe('keyfront orders ship', () => {
  it('records a parcel with everything that is left, or with the given lines', async () => {
    const harness = createHarness({ env: administrator, respond: () => success(shipment, 201) });
    expect(await harness.run('orders', 'ship', orderId, '--carrier', 'DHL')).toEqual({
      code: 0,
      stdout: `Recorded shipment ${shipment.id} of order ${orderId}.\n`,
      stderr: '',
    });
    const tracking = ['--tracking-number', '7', '--tracking-url', 'https://dhl.example/7'];
    const lines = ['--line', `${first}=2`, '--line', `${second}=1`];
    const key = ['--idempotency-key', 'parcel-7'];
    const json = await harness.run(
      ...['orders', 'ship', orderId, '--carrier', 'DHL', ...tracking, ...lines, ...key, '--json'],
    );
    expect(JSON.parse(json.stdout)).toEqual(shipment);
    expect(harness.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
      Array(2).fill(`POST /admin/orders/${orderId}/shipments`),
    );
    expect(harness.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { carrier: 'DHL' },
      {
        carrier: 'DHL',
        trackingNumber: '7',
        trackingUrl: 'https://dhl.example/7',
        orderLines: [
          { id: first, quantity: 2 },
          { id: second, quantity: 1 },
        ],
      },
    ]);
    expect(harness.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      expect.stringMatching(/^.{16,}$/),
      'parcel-7',
    ]);
  });

  it('names its flags in errors of the service', async () => {
    const respond = () => failure(400, 'Validation failed', { data: ['trackingUrl must be a URL'] });
    const harness = createHarness({ env: administrator, respond });
    expect(
      await harness.run('orders', 'ship', orderId, '--carrier', 'DHL', '--tracking-url', 'x'),
    ).toMatchObject({ code: 4, stderr: 'error: --tracking-url must be a URL\n' });
  });

  it.each(['7', '7=1', `${first}=0`, `${first}=1.5`, '=2'])('does not accept --line %s', async (line) => {
    const harness = createHarness({ env: administrator });
    const { code, stderr } = await harness.run('orders', 'ship', orderId, '--carrier', 'DHL', '--line', line);
    expect([code, harness.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain('Write it as line-id=quantity');
  });

  it('needs a carrier and an administrator', async () => {
    expect(await createHarness({ env: administrator }).run('orders', 'ship', orderId)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--carrier <name>' not specified"),
    });
    const holder = { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: 'e30.eyJzdWIiOiIweDciLCJleHAiOjF9.c2ln' };
    for (const harness of [createHarness(), createHarness({ env: holder })]) {
      expect(await harness.run('orders', 'ship', orderId, '--carrier', 'DHL')).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'error: Only an administrator ships orders. Sign in with the wallet (`keyfront login --wallet-key-file FILE --admin ' +
          '--profile admin`), then add --profile admin.\n',
      });
      expect(harness.requests).toEqual([]);
    }
  });
});
