import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

it('rejects a signed-in wallet that no longer owns a digital key', async () => {
  await sql('UPDATE holders SET primary_token_id = NULL WHERE id = $1', [holder.holderId]);
  const reply = await holder.signedIn.ask('GET', '/marketplace/transactions/user');
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'DIGITAL_KEY_REQUIRED',
    message: 'The wallet owns no digital key',
    data: null,
  });
});
