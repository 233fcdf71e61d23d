import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder, nobody, forger } = await openStorefront();

it('refuses everybody who has no token: a signature is not enough, be it good or bad', async () => {
  for (const caller of [nobody, forger, holder]) {
    const reply = await caller.ask('PATCH', `/admin/clients/${unknownId}`, { body: { isActive: false } });
    expect(reply.status).toBe(401);
    expect(reply.envelope).toEqual({ success: false, statusCode: 401, message: 'Unauthorized', data: null });
  }
});
