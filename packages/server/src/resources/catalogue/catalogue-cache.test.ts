import type { Planet, Strain, StrainPage } from '@keyfront/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertCatalogue } from '../../../../../test/support/catalogue.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { runSql } from '../../../../../test/support/test-database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { CatalogueCache } from './catalogue-cache.ts';

const administrator: AdministratorScope = { role: 'administrator', walletAddress: `0x${'ad'.repeat(20)}` };

let now = 0;
// The change feed counts as connected but delivers nothing, so only the service itself clears the cache.
const catalogueCache = new CatalogueCache({ isTrusted: () => true, now: () => now });
let service: TestApp;
let strain: Strain;

beforeAll(async () => {
  service = await startTestApp({
    catalogueCache,
    guard: async () => ({ scope: administrator, credentialId: administrator.walletAddress }),
  });
  await insertCatalogue(service.ownerUrl);
  const { strains } = await read<StrainPage>('/dapp/strains?take=1');
  strain = strains[0] as Strain;
});
afterAll(() => service.close());
beforeEach(() => catalogueCache.clear());

async function ask<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as { message: string; data: Data };
  if (!response.ok) throw new Error(`${response.status}: ${envelope.message}`);
  return envelope.data;
}
const read = <Data>(path: string) => ask<Data>('GET', path);
const sql = (text: string, values: unknown[] = []) =>
  runSql(`${service.ownerUrl}&options=-c%20search_path%3Dkeyfront`, text, values);

const stockInList = async () =>
  (await read<StrainPage>('/dapp/strains')).strains.find(({ id }) => id === strain.id)?.stockQuantity;
const stockAlone = async () => (await read<Strain>(`/dapp/strains/${strain.id}`)).stockQuantity;
const setStock = (quantity: number) =>
  sql('UPDATE strain_locations SET stock_quantity = $2 WHERE strain_id = $1', [strain.id, quantity]);
const planetNames = async () =>
  (await read<{ planets: Planet[] }>('/planets')).planets.map(({ name }) => name);

describe('the cached responses of the catalogue', () => {
  it('are cached until they are cleared', async () => {
    await setStock(10);
    expect([await stockInList(), await stockAlone()]).toEqual([10, 10]);
    const names = await planetNames();
    await setStock(7);
    await sql(`UPDATE planets SET name = name || '!' WHERE number = 1`);
    expect([await stockInList(), await stockAlone()]).toEqual([10, 10]);
    expect(await planetNames()).toEqual(names);
    catalogueCache.clear();
    expect([await stockInList(), await stockAlone()]).toEqual([7, 7]);
    expect((await planetNames())[0]).toBe(`${names[0]}!`);
  });

  it('have the right stock directly after this process has taken some, and keep the planets', async () => {
    await setStock(10);
    expect([await stockInList(), await stockAlone()]).toEqual([10, 10]);
    const names = await planetNames();
    await setStock(4);
    await sql(`UPDATE planets SET name = name || '?' WHERE number = 1`);
    catalogueCache.clearStock();
    expect([await stockInList(), await stockAlone()]).toEqual([4, 4]);
    expect(await planetNames()).toEqual(names);
  });

  it('show the stock that another process has taken after half a second, and the planets as they were', async () => {
    await setStock(10);
    expect([await stockInList(), await stockAlone()]).toEqual([10, 10]);
    const names = await planetNames();
    await setStock(3);
    await sql(`UPDATE planets SET name = name || '#' WHERE number = 1`);
    now += 499;
    expect([await stockInList(), await stockAlone()]).toEqual([10, 10]);
    now += 1;
    expect([await stockInList(), await stockAlone()]).toEqual([3, 3]);
    expect(await planetNames()).toEqual(names);
  });

  it('differ by query', async () => {
    const first = await read<StrainPage>('/dapp/strains?take=1');
    const second = await read<StrainPage>('/dapp/strains?take=1&page=2');
    expect(second.strains[0]?.id).not.toBe(first.strains[0]?.id);
    expect((await read<StrainPage>('/dapp/strains?search=Strain%2007')).strains).toHaveLength(1);
    expect(await read<StrainPage>('/dapp/strains?take=1')).toEqual(first);
  });

  it('show an administrator their own change immediately', async () => {
    await setStock(10);
    expect(await stockInList()).toBe(10);
    await ask('PATCH', `/admin/strains/${strain.id}`, { stockChange: -1 });
    expect([await stockInList(), await stockAlone()]).toEqual([9, 9]);

    const before = await planetNames();
    const added = await ask<Planet>('POST', '/admin/planets', { number: 40, name: 'Fortieth' });
    expect(await planetNames()).toEqual([...before, 'Fortieth']);
    await ask('PATCH', `/admin/planets/${added.id}`, { name: 'Last' });
    expect(await planetNames()).toEqual([...before, 'Last']);

    const moved = () => read<Strain>(`/dapp/strains/${strain.id}`);
    expect((await moved()).planet).toEqual(strain.planet);
    await ask('PATCH', `/admin/strains/${strain.id}`, { planet: '40' });
    expect((await moved()).planet).toEqual({ number: 40, name: 'Last' });
    await ask('PATCH', `/admin/planets/${added.id}`, { name: 'Very last' });
    expect((await moved()).planet).toEqual({ number: 40, name: 'Very last' });

    const count = async () => (await read<StrainPage>('/dapp/strains')).pageMetaDto.itemCount;
    const countBefore = await count();
    const { type, thc, cbd, retailPrice, currency } = strain;
    const oneMore = { type, thc, cbd, retailPrice, currency, name: 'One more', planet: '1' };
    await ask('POST', '/admin/strains', oneMore);
    expect(await count()).toBe(countBefore + 1);
  });
});

describe('the announcement of a change', () => {
  it('is made for every column of the catalogue but the one that an order touches', async () => {
    const rows = await sql(
      `SELECT relname AS table, array(
         SELECT attname::text FROM pg_attribute
         WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND NOT attnum = ANY (tgattr)
         ORDER BY attname
       ) AS "leftOut", tgattr::text = '' AS "forAllColumns"
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE tgname = 'announce_change' ORDER BY 1`,
    );
    expect(rows).toEqual([
      expect.objectContaining({ table: 'delivery_charges', forAllColumns: true }),
      expect.objectContaining({ table: 'planets', forAllColumns: true }),
      { table: 'strain_locations', forAllColumns: false, leftOut: ['stock_quantity'] },
      expect.objectContaining({ table: 'strains', forAllColumns: true }),
      expect.objectContaining({ table: 'tax_rates', forAllColumns: true }),
    ]);
  });
});
