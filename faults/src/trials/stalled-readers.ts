import { join } from 'node:path';
import { readDemo } from '../load/holders.ts';
import { insertOrders } from '../load/insert-orders.ts';
import { openStalledExport, type StalledExport } from '../load/stalled-export.ts';
import { serviceSettings, startDatabase } from '../processes/database.ts';
import { openStallablePipe } from '../processes/stallable-pipe.ts';
import { describeLoad, type Trial } from './trial.ts';
import { startTrialService } from './trial-service.ts';

/** Stops reading the log and CSV exports, while orders are placed. Then the service must still end when it is told to. */
export const stalledReaders: Trial = {
  name: 'stalled-readers',
  run: async (context) => {
    const { sizes, progress } = context;
    const database = await startDatabase(join(context.folder, 'database'));
    const dataFolder = join(context.folder, 'data');
    const pipe = openStallablePipe();
    const downloads: StalledExport[] = [];
    try {
      const service = await startTrialService(context, {
        settings: { ...serviceSettings(database.loginUrl, database.ownerUrl), WORKERS: '2' },
        dataFolder,
        ownerUrl: async () => database.ownerUrl,
        pipe,
      });
      try {
        await service.waitForOrders(1, 'the start');
        progress('Nobody reads the log');
        pipe.stall();
        await service.waitForOrders(2 * sizes.ordersBetweenFaults, 'the log reader has stopped');
        if (sizes.exportedOrders > 0) {
          progress('Nobody reads the CSV exports of two holders');
          // A holder has one export at a time.
          for (const holder of readDemo(dataFolder).holders) {
            await insertOrders(database.ownerUrl, holder.primaryTokenId, sizes.exportedOrders);
            downloads.push(await openStalledExport(service.baseUrl, holder));
          }
          await service.waitForOrders(
            2 * sizes.ordersBetweenFaults,
            'the readers of CSV exports have stopped',
          );
        }
        const health = await fetch(service.baseUrl.replace('/api/v1', '/health/ready'));
        const { report, problems } = await service.finish();
        const refused = downloads.filter(({ status }) => status !== 200);
        return {
          problems: [
            ...problems,
            ...refused.map(({ status }) => `A CSV export got ${status}`),
            ...(health.ok ? [] : [`/health/ready was ${health.status} with stalled readers`]),
          ],
          summary: `stalled: the log and ${downloads.length} exports; ${describeLoad(report)}`,
        };
      } catch (error) {
        await service.kill();
        throw error;
      }
    } finally {
      for (const download of downloads) download.close();
      await database.stop();
    }
  },
};
