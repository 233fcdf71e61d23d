import { expect, it } from 'vitest';
import { createHarness, success } from '../../test/cli-harness.ts';

const id = '019a8f3e-7c00-7000-8000-000000000501';
const openHarness = () => {
  const harness = createHarness({ respond: () => success({ tokenId: 1001, orders: 3 }) });
  const sent = () =>
    harness.requests.map(({ method, target, body }) => `${method} ${target} ${String(body)}`);
  return { harness, sent };
};

it.each([
  ['approve', id, 'The client may order.', `PATCH /sandbox/clients/${id} {"adminApproval":"VERIFIED"}`],
  ['approve', id, 'The client may order.', `PUT /sandbox/clients/${id}/kyc-status {"status":"VERIFIED"}`],
  ['pay', id, 'The order is paid.', `PUT /sandbox/orders/${id}/payment-status {"status":"PAID"}`],
  ['ship', id, 'The order is sent.', `PATCH /sandbox/orders/${id} {"adminApproval":"VERIFIED"}`],
  ['deliver', id, 'The order is delivered.', `PATCH /sandbox/orders/${id} {"orderStatus":"DELIVERED"}`],
  ['reset', '1001', 'The digital key is reset.', 'POST /sandbox/reset {"tokenId":1001}'],
])('keyfront sandbox %s', async (name, argument, text, request) => {
  const { harness, sent } = openHarness();
  expect(await harness.run('sandbox', name, argument)).toMatchObject({ code: 0, stdout: `${text}\n` });
  expect(sent()).toContain(request);
});

it('keyfront sandbox ship sends a parcel with a tracking number, and prints it as JSON', async () => {
  const { harness, sent } = openHarness();
  expect((await harness.run('sandbox', 'ship', id, '--json')).stdout).toBe('{"tokenId":1001,"orders":3}\n');
  expect(sent().at(-1)).toBe(
    `POST /sandbox/orders/${id}/shipments {"carrier":"Sandbox Parcel","trackingNumber":"TEST"}`,
  );
});
