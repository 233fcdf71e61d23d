import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin } = await openStorefront();

it('returns the planets to holders, by signature or token, and to administrators', async () => {
  for (const caller of [holder, holder.signedIn, admin]) {
    const reply = await caller.ask('GET', '/planets');
    expect(reply.status).toBe(200);
    expect(dataOf<{ planets: { number: number }[] }>(reply).planets[0]?.number).toBe(1);
  }
});
