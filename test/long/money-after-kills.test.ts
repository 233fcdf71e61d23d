import { randomInt } from 'node:crypto';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createTokens, type Tokens } from '../../packages/server/src/auth/tokens.ts';
import { beginSession } from '../support/begin-session.ts';
import { type Prepare, runMoneyHistory } from '../support/money-history.ts';
import { randomFrom } from '../support/random-from.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { signMessage, testSecrets } from '../support/test-providers.ts';

/** Set `MONEY_SEEDS` to run others: `MONEY_SEEDS=1,2,3`. */
const first = randomInt(2 ** 30);
const seeds =
  process.env.MONEY_SEEDS?.split(',').map(Number) ?? Array.from({ length: 20 }, (_, at) => first + at);
type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const adminWallet = `0x${'ad'.repeat(20)}`;
const [secret] = testSecrets.PAYMENT;

/** So many histories run at once, each with a digital key and strains of its own. */
const groups = Array.from({ length: Math.ceil(seeds.length / 4) }, (_, at) =>
  seeds.slice(at * 4, at * 4 + 4),
);

it.each(groups)(
  'keeps money and goods right while processes are killed: seeds %d, %d, %d, %d',
  async (...group) => {
    await onDemoDatabase(async (demoSettings) => {
      const settings = {
        ...demoSettings,
        ADMIN_WALLETS: adminWallet,
        PAYMENT_URL: 'https://pay.test/{reference}',
        PAYMENT_CALLBACK_SECRET: secret,
        RATE_LIMIT: 'off',
      };
      const start = () => startService(settings);
      const services = [start(), start()];
      await Promise.all(services.map(({ ready }) => ready));
      const owner = new pg.Pool({
        connectionString: settings.DATABASE_OWNER_URL,
        options: '-c search_path=keyfront',
        max: 2,
      });
      onTestFinished(() => owner.end());
      const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
        (await owner.query(text, values)).rows as Row[];
      const tokens = createTokens({ secret: settings.JWT_SECRET, previousSecret: null });
      const admin = await beginSession(sql, tokens, { walletAddress: adminWallet, role: 'administrator' });

      let kills = 0;
      let killing: Promise<unknown> | null = null;
      const kill = async () => {
        const victim = randomInt(2);
        await services[victim]?.end('SIGKILL');
        kills++;
        services[victim] = start();
        await services[victim]?.ready;
      };
      /** By requests and not by time: a slow machine must not spend all of it on starting processes. */
      let untilKill = 1;
      const countRequest = () => {
        if (killing || --untilKill > 0) return;
        untilKill = 50 + randomInt(150);
        killing = kill().finally(() => {
          killing = null;
        });
      };

      const run = async (seed: number, tokenId: number) => {
        const random = randomFrom(seed);
        const holder = await addHolder(sql, tokens, tokenId);
        const prepare: Prepare = (actor, method, path, { body, key } = {}) => {
          const text = body ? JSON.stringify(body) : undefined;
          const headers = {
            ...(text ? { 'content-type': 'application/json' } : {}),
            ...(key ? { 'idempotency-key': key } : {}),
            ...(actor === 'provider'
              ? signMessage(secret, text ?? '')
              : { authorization: `Bearer ${actor === 'admin' ? admin : holder}` }),
          };
          return async () => {
            const baseUrl = (await services[random(2)]?.ready) ?? '';
            countRequest();
            const response = await fetch(`${baseUrl}${path}`, {
              method,
              headers,
              ...(text ? { body: text } : {}),
            });
            return { status: response.status, text: await response.text() };
          };
        };
        await runMoneyHistory({ prepare, sql, tokenId, random, orders: 6, steps: 50 }).catch(
          (error: Error) => {
            throw new Error(`MONEY_SEEDS=${seed}: ${error.message}`, { cause: error });
          },
        );
      };
      const histories = group.map((seed, at) => run(seed, 900_000 + at));
      await Promise.all(histories).finally(() => killing);
      expect(kills).toBeGreaterThan(1);
      for (const service of services) expect(await service.end()).toBe(0);
    });
  },
);

/** A holder of one digital key, who is signed in. */
async function addHolder(sql: Sql, tokens: Tokens, tokenId: number): Promise<string> {
  const walletAddress = `0x${String(tokenId).padStart(40, '0')}`;
  await sql(
    `WITH holder AS (INSERT INTO holders (wallet_address, primary_token_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO digital_keys (token_id, holder_id, planet_id)
     SELECT $2, holder.id, planets.id FROM holder, planets WHERE planets.number = 7`,
    [walletAddress, tokenId],
  );
  return beginSession(sql, tokens, { walletAddress, role: 'holder' });
}
