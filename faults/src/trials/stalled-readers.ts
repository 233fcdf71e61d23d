import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { join } from 'node:path';
import { type HolderCredentials, signSimply } from '../load/holders.ts';
import { runSql } from '../load/run-sql.ts';
import { serviceSettings, startDatabase } from '../processes/database.ts';
import { openStallablePipe } from '../processes/stallable-pipe.ts';
import { describeLoad, type Trial } from './trial.ts';
import { startTrialService } from './trial-service.ts';

const stalledExports = 4;

/** Stops reading the log and CSV exports, while orders are placed. Then the service must still end when it is told to. */
export const stalledReaders: Trial = {
  name: 'stalled-readers',
  run: async (context) => {
    const { sizes, progress } = context;
    const database = await startDatabase(join(context.folder, 'database'));
    const pipe = openStallablePipe();
    const downloads: ClientRequest[] = [];
    try {
      const service = await startTrialService(context, {
        settings: { ...serviceSettings(database.loginUrl, database.ownerUrl), WORKERS: '2' },
        dataFolder: join(context.folder, 'data'),
        ownerUrl: async () => database.ownerUrl,
        pipe,
      });
      try {
        await service.waitForOrders(1, 'the start');
        progress('Nobody reads the log');
        pipe.stall();
        await service.waitForOrders(2 * sizes.ordersBetweenFaults, 'the log reader has stopped');
        if (sizes.exportedOrders > 0) {
          progress(`Nobody reads ${stalledExports} CSV exports`);
          await insertOrders(database.ownerUrl, service.store.tokenId, sizes.exportedOrders);
          for (let count = 0; count < stalledExports; count++) {
            downloads.push(await openStalledExport(service.baseUrl, service.holder));
          }
          await service.waitForOrders(
            2 * sizes.ordersBetweenFaults,
            'the readers of CSV exports have stopped',
          );
        }
        const health = await fetch(service.baseUrl.replace('/api/v1', '/health/ready'));
        const { report, problems } = await service.finish();
        return {
          problems: health.ok
            ? problems
            : [...problems, `/health/ready was ${health.status} with stalled readers`],
          summary: `stalled: the log and ${downloads.length} exports; ${describeLoad(report)}`,
        };
      } catch (error) {
        await service.kill();
        throw error;
      }
    } finally {
      for (const download of downloads) download.destroy();
      await database.stop();
    }
  },
};

/** Adds orders of a client who takes no part in the trial, so many that an export does not fit into the buffers. */
async function insertOrders(ownerUrl: string, tokenId: number, count: number): Promise<void> {
  await runSql(
    ownerUrl,
    `WITH client AS (
       INSERT INTO keyfront.clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active)
       VALUES ($1, 'Bulk', 'Client', 'bulk@example.org', 'VERIFIED', true, true) RETURNING id
     ), strain AS (
       SELECT id, name FROM keyfront.strains WHERE name NOT LIKE 'Trial strain %' LIMIT 1
     ), placed AS (
       INSERT INTO keyfront.orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       SELECT $1, client.id, 'BULK-' || n, 10, 1, 'EUR' FROM client, generate_series(1, $2::int) AS n RETURNING id
     ), sale AS (
       INSERT INTO keyfront.sales (token_id, client_id, order_id, stage)
       SELECT $1, client.id, placed.id, 'ONGOING' FROM client, placed
     )
     INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
     SELECT placed.id, 1, $1, strain.id, strain.name, 10, 1 FROM placed, strain`,
    [tokenId, count],
  );
}

/** Starts a download and reads nothing but its headers. */
async function openStalledExport(baseUrl: string, holder: HolderCredentials): Promise<ClientRequest> {
  const request = get(`${baseUrl}/orders/export`, {
    agent: false,
    headers: { accept: 'text/csv', ...signSimply(holder) },
  });
  request.on('error', () => undefined);
  const [response] = await once(request, 'response');
  response.on('error', () => undefined);
  return request;
}
