import type { AdminClient, Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, readClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const change = (id: string, action: 'activate' | 'deactivate') =>
  holder.ask('PATCH', `/dapp/clients/${id}/${action}`);
const read = (id: string) => readClient(holder, id);

it('lets a client order again that the holder has deactivated', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  await insertCart(sql, holder.tokenId, id, [{ strainId, quantity: 1 }]);
  const order = () => holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
  const before = await read(id);

  const deactivated = dataOf<Client>(await change(id, 'deactivate'));
  expect(deactivated).toEqual({ ...before, isActive: false, updatedAt: deactivated.updatedAt });
  expect((await order()).envelope.code).toBe('CLIENT_NOT_ACTIVE');

  const activated = dataOf<Client>(await change(id, 'activate'));
  expect(activated).toEqual({ ...before, updatedAt: activated.updatedAt });
  expect(await read(id)).toEqual(activated);
});

it('may be repeated', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  for (const action of ['activate', 'activate', 'deactivate', 'deactivate', 'activate'] as const) {
    expect(dataOf<Client>(await change(id, action)).isActive).toBe(action === 'activate');
  }
});

it('is left to administrators after they have deactivated the client', async () => {
  const block = async (id: string) =>
    dataOf<AdminClient>(await admin.ask('PATCH', `/admin/clients/${id}`, { body: { isActive: false } }));
  const { id } = await insertClient(sql, holder.tokenId);
  // Also if the holder had deactivated the client before, or does it afterwards.
  for (const first of [() => undefined, () => change(id, 'deactivate')]) {
    await first();
    await block(id);
    await change(id, 'deactivate');
    const reply = await change(id, 'activate');
    expect(reply.status).toBe(403);
    expect(reply.envelope).toMatchObject({
      code: 'CLIENT_BLOCKED',
      message: 'Client was deactivated by an administrator',
    });
    expect((await read(id)).isActive).toBe(false);
    dataOf(await admin.ask('PATCH', `/admin/clients/${id}`, { body: { isActive: true } }));
    await change(id, 'deactivate');
    expect((await change(id, 'activate')).status).toBe(200);
  }
});

it('is not undone by a change of the administrators that does not name the activity', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  await change(id, 'deactivate');
  dataOf(await admin.ask('PATCH', `/admin/clients/${id}`, { body: { isKYCVerified: true } }));
  expect((await change(id, 'activate')).status).toBe(200);
});
