import type { Planet, Strain, StrainPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { createTokens } from '../../packages/server/src/auth/tokens.ts';
import { beginSession } from '../support/begin-session.ts';
import { onTestCluster, startService } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

const administrator = `0x${'ad'.repeat(20)}`;
const deadline = { timeout: 10_000 };

/** Talks as the administrator to one of the services. */
function callerOf(base: string, token: string) {
  return async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as { message: string; data: Data };
    if (!response.ok) throw new Error(`${response.status}: ${envelope.message}`);
    return envelope.data;
  };
}

describe('a catalogue served by several processes', () => {
  it('shows a change immediately in the process that made it, and soon in the others', async () => {
    await onTestCluster(async (database) => {
      const settings = { ...database, ADMIN_WALLETS: administrator, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
      const services = [startService(settings), startService(settings)];
      const tokens = createTokens({ secret: database.JWT_SECRET, previousSecret: null });
      const bases = await Promise.all(services.map(({ ready }) => ready));
      const token = await beginSession(
        (text, values) => runSql(database.DATABASE_OWNER_URL, text, values),
        tokens,
        { walletAddress: administrator, role: 'administrator' },
      );
      const [here, there] = bases.map((base) => callerOf(base, token));
      if (!here || !there) throw new Error('Two services were started');

      const planetsAt = async (ask: typeof here) =>
        (await ask<{ planets: Planet[] }>('GET', '/planets')).planets.map(({ name }) => name);
      const strainsAt = async (ask: typeof here) =>
        (await ask<StrainPage>('GET', '/dapp/strains')).strains.map(({ name }) => name);
      expect([await planetsAt(there), await strainsAt(there)]).toEqual([[], []]);

      const planet = await here<Planet>('POST', '/admin/planets', { number: 1, name: 'Verdane' });
      expect(await planetsAt(here)).toEqual(['Verdane']);
      await expect.poll(() => planetsAt(there), deadline).toEqual(['Verdane']);

      await here('PATCH', `/admin/planets/${planet.id}`, { name: 'Low Tide' });
      expect(await planetsAt(here)).toEqual(['Low Tide']);
      await expect.poll(() => planetsAt(there), deadline).toEqual(['Low Tide']);

      // By hand, as those who run the service may do: the triggers stand on the tables.
      await runSql(database.DATABASE_OWNER_URL, `UPDATE keyfront.planets SET name = 'Cinder'`);
      for (const each of [here, there])
        await expect.poll(() => planetsAt(each), deadline).toEqual(['Cinder']);

      const strain = await here<Strain>('POST', '/admin/strains', {
        name: 'Lunar Saffron',
        type: 'INDICA',
        thc: 18.5,
        cbd: 0.8,
        retailPrice: 12.5,
        currency: 'EUR',
        stockQuantity: 240,
        countryCodes: ['PRT'],
        planet: 'Cinder',
      });
      expect(await strainsAt(here)).toEqual(['Lunar Saffron']);
      await expect.poll(() => strainsAt(there), deadline).toEqual(['Lunar Saffron']);

      const stockAt = async (ask: typeof here) =>
        (await ask<Strain>('GET', `/dapp/strains/${strain.id}`)).stockQuantity;
      expect(await stockAt(there)).toBe(240);
      // As an order changes it: without a notification.
      await runSql(database.DATABASE_OWNER_URL, 'UPDATE keyfront.strain_locations SET stock_quantity = 239');
      for (const each of [here, there]) await expect.poll(() => stockAt(each), deadline).toBe(239);

      for (const service of services) expect(await service.end()).toBe(0);
    });
  });
});
