import { describe, expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const order = { id: '019a8f3e-7c00-7000-8000-000000000501', orderStatus: 'PENDING' };
const respond = () => success(order);

describe('keyfront orders update', () => {
  it.each([
    [['--external-reference', 'shop-7'], { externalReference: 'shop-7' }],
    [['--external-reference', ''], { externalReference: '' }],
    [
      ['--metadata', 'a=1', '--metadata', 'b=x=y', '--metadata', 'c=', '--remove-metadata', 'd'],
      { metadata: { a: '1', b: 'x=y', c: '', d: null } },
    ],
  ])('sends %j', async (options, body) => {
    const harness = createHarness({ respond });
    expect(await harness.run('orders', 'update', order.id, ...options)).toEqual({
      code: 0,
      stdout: `Updated order ${order.id}.\n`,
      stderr: '',
    });
    expect(harness.requests[0]).toMatchObject({ method: 'PATCH', target: `/dapp/orders/${order.id}` });
    expect(JSON.parse(String(harness.requests[0]?.body))).toEqual(body);
  });

  it.each([[[]], [['--metadata', 'a']], [['--metadata', '=a']]])('does not accept %j', async (options) => {
    const harness = createHarness({ respond });
    expect((await harness.run('orders', 'update', order.id, ...options)).code).toBe(2);
    expect(harness.requests).toEqual([]);
  });

  it('names its flags in errors of the service', async () => {
    const message = 'externalReference must have at most 100 characters';
    const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data: [message] }) });
    const { stderr } = await harness.run('orders', 'update', order.id, '--external-reference', 'x');
    expect(stderr).toBe('error: --external-reference must have at most 100 characters\n');
  });
});

describe('keyfront orders cancel', () => {
  it('cancels, and prints JSON', async () => {
    const harness = createHarness({ respond });
    expect(await harness.run('orders', 'cancel', order.id)).toMatchObject({
      code: 0,
      stdout: `Cancelled order ${order.id}.\n`,
    });
    expect(JSON.parse((await harness.run('orders', 'cancel', order.id, '--json')).stdout)).toEqual(order);
    expect(harness.requests[0]).toMatchObject({ method: 'PATCH', target: `/dapp/orders/${order.id}` });
    expect(JSON.parse(String(harness.requests[0]?.body))).toEqual({ orderStatus: 'CANCELLED' });
  });

  it('asks in a terminal', async () => {
    const harness = createHarness({ respond, isInteractive: true, stdin: '\n' });
    expect(await harness.run('orders', 'cancel', order.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Cancel order ${order.id}? This cannot be undone. [y/N] `),
    });
    expect(harness.requests).toEqual([]);
  });
});
