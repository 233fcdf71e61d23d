import { expect, it } from 'vitest';
import { openStorefront } from '../../../../../test/support/storefront.ts';
import { insertClient, unknownId } from '../../../../../test/support/storefront-data.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { lockClient, throwClientNotInScope } from './client-rules.ts';

const { service, holder, stranger, sibling, sql } = await openStorefront();
const { database } = service;

const scopeOf = ({ holderId, tokenId, walletAddress }: typeof holder): HolderScope => ({
  role: 'holder',
  holderId,
  tokenId,
  walletAddress,
});
const { id, email } = await insertClient(sql, holder.tokenId);

const isFree = async () =>
  (await sql('SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED', [id])).length === 1;

it('keeps a client locked until the transaction ends', async () => {
  expect(await isFree()).toBe(true);
  await database.transaction(scopeOf(holder), async (tx) => {
    expect(await lockClient(tx, database, scopeOf(holder), id)).toEqual({
      id,
      firstName: 'Ada',
      lastName: 'Example',
      email,
    });
    expect(await isFree()).toBe(false);
  });
  expect(await isFree()).toBe(true);
});

it('lets what names the client be written while it is locked', async () => {
  await database.transaction(scopeOf(holder), async (tx) => {
    await lockClient(tx, database, scopeOf(holder), id);
    // As the foreign key of a cart or an order locks it.
    expect(await sql('SELECT FROM clients WHERE id = $1 FOR KEY SHARE SKIP LOCKED', [id])).toHaveLength(1);
  });
});

it('locks no client of another holder or digital key, and none that does not exist', async () => {
  for (const caller of [stranger, sibling]) {
    const scope = scopeOf(caller);
    await expect(
      database.transaction(scope, (tx) => lockClient(tx, database, scope, id)),
    ).rejects.toMatchObject({ status: 403, message: 'Client belongs to another holder or digital key' });
  }
  const scope = scopeOf(holder);
  await expect(
    database.transaction(scope, (tx) => lockClient(tx, database, scope, unknownId)),
  ).rejects.toMatchObject({ status: 404, message: 'Client not found' });
});

it('throws 403 for an existing client and 404 for an unknown one', async () => {
  await expect(throwClientNotInScope(database, id)).rejects.toMatchObject({ status: 403 });
  await expect(throwClientNotInScope(database, unknownId)).rejects.toMatchObject({ status: 404 });
});
