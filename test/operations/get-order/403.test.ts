import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

const client = await insertClient(sql, holder.tokenId);
const id = await insertOrder(sql, holder.tokenId, client.id);

it('rejects another holder and another digital key of the same holder, and reveals nothing about the order', async () => {
  for (const caller of [stranger, stranger.signedIn, sibling]) {
    const reply = await caller.ask('GET', `/dapp/orders/${id}`);
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Order belongs to another holder or digital key',
      data: null,
    });
  }
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('GET', `/dapp/orders/${id}`);
  expect(reply.status).toBe(403);
  expect(reply.envelope).toMatchObject({
    message: 'This is for holders of a digital key: sign in as one',
    data: null,
  });
});
