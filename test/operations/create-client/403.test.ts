import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('POST', '/dapp/clients', { body });
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
