import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const ownNumber = (place: number) => 1_000 * holder.tokenId + place;
it('requires an administrator, even for an invalid body', async () => {
  const number = ownNumber(1);
  for (const body of [{ number, name: `Planet ${number}` }, {}]) {
    const reply = await holder.signedIn.ask('POST', '/admin/planets', { body });
    expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
  }
  expect(await sql('SELECT FROM planets WHERE number = $1', [number])).toEqual([]);
});
