import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

it('refuses a holder, also for his own digital key', async () => {
  await insertClient(sql, holder.tokenId);
  for (const query of ['', `?tokenId=${holder.tokenId}`]) {
    const reply = await holder.signedIn.ask('GET', `/admin/clients${query}`);
    expect(reply.status).toBe(403);
    expect(reply.envelope).toMatchObject({ success: false, statusCode: 403, data: null });
  }
});
