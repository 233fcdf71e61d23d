import { expect, it } from 'vitest';
import { FakeChain, fakeMarketplace, fakeToken } from '../support/fake-chain.ts';
import { startFakeNode } from '../support/fake-node.ts';
import { randomFrom } from '../support/random-from.ts';
import { onTestCluster, startService, withDataFolder } from '../support/service-process.ts';
import { SimulatedMarket, workOutTruth } from '../support/simulated-market.ts';
import { runSql } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const metricsToken = 'a token for the metrics';

const seed = Number(process.env.CHAIN_PROCESS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const wallets = [1, 2, 3, 4].map((index) => `0x${String(index).repeat(40)}` as const);

it('follows the chain across kill -9, and stops with an alarm when finalised blocks change', {
  timeout: 120_000,
}, async () => {
  console.log(`CHAIN_PROCESS_TEST_SEED=${seed}`);
  const random = randomFrom(seed);
  const chain = new FakeChain(31_337, 12);
  const market = new SimulatedMarket(random, 0, wallets, []);
  const grow = (count: number) => {
    for (let mined = 0; mined < count; mined++) chain.mine([market.nextAction(chain, [])]);
  };
  grow(30);
  const node = await startFakeNode(chain, (response) => {
    if (random(12) > 0) return false;
    response.destroy();
    return true;
  });
  await withDataFolder((dataFolder) =>
    onTestCluster(async (settings) => {
      const sql = <Row extends Record<string, unknown>>(text: string) =>
        runSql<Row>(settings.DATABASE_OWNER_URL, text);
      const start = () =>
        startService({
          ...settings,
          KEYFRONT_DATA: dataFolder,
          CHAIN_ID: '31337',
          RPC_URL: node.url,
          TOKEN_CONTRACT: fakeToken,
          MARKETPLACE_CONTRACT: fakeMarketplace,
          METRICS_TOKEN: metricsToken,
        });
      const position = async () =>
        Number(
          (await sql<{ n: string }>('SELECT block_number AS n FROM keyfront.chain_positions'))[0]?.n ?? -1,
        );
      let service = start();
      await service.ready;
      await sql(`INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`);
      for (let round = 0; round < 2; round++) {
        const target = random(chain.head.number);
        await until(position, (reached) => reached >= target);
        await service.end('SIGKILL');
        chain.drop(random(10));
        grow(10 + random(6));
        service = start();
        await service.ready;
      }
      await until(position, (reached) => reached === chain.head.number);
      const truth = workOutTruth(chain, [], new Map());
      const readTransactions = async () =>
        (
          await sql<{ line: string }>(
            `SELECT concat_ws(' ', type, token_id, coalesce(from_address, 'null'), coalesce(to_address, 'null'), tx_hash)
               AS line FROM keyfront.transactions ORDER BY block_number, log_index`,
          )
        ).map(({ line }) => line);
      expect(await readTransactions()).toEqual(truth.transactions);
      const owners = await sql<{ token: string; owner: string }>(
        `SELECT token_id AS token, wallet_address AS owner FROM keyfront.digital_keys
         JOIN keyfront.holders ON holders.id = holder_id`,
      );
      expect(Object.fromEntries(owners.map(({ token, owner }) => [token, owner]))).toEqual(truth.owners);

      // Finalised blocks change: the tables stay as they are, and health and metrics report it.
      const health = async () => {
        const answer = await fetch(`${new URL(await service.ready).origin}/health/chain`);
        return (await answer.json()) as { statusCode: number; message: string };
      };
      expect(await health()).toMatchObject({
        statusCode: 200,
        data: { position: chain.head.number, alarm: null },
      });
      chain.drop(20);
      grow(25);
      await until(health, ({ statusCode }) => statusCode === 503);
      expect((await health()).message).toMatch(
        /^The chain was reorganised below block \d+, which was final\./,
      );
      expect(await readTransactions()).toEqual(truth.transactions);
      const headers = { authorization: `Bearer ${metricsToken}` };
      const metrics = await (
        await fetch(`${new URL(await service.ready).origin}/metrics`, { headers })
      ).text();
      expect(metrics).toContain('chain_reader_alarm 1');
      const alive = await fetch(`${await service.ready}/public/healthStatus`);
      expect(alive.status).toBe(200);
      expect(await service.end()).toBe(0);
    }),
  );
  await node.close();
});
