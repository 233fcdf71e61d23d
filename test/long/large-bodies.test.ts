import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measureBodies } from '../../fuzz/src/bodies/measure-bodies.ts';
import type { Credentials } from '../../fuzz/src/identities.ts';
import { formatBodiesReport } from '../../fuzz/src/report.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

it('spends hardly more processor time on a large body than on a small one', async () => {
  await onDemoDatabase(async (settings) => {
    const service = startService({ ...settings, RATE_LIMIT: 'off' });
    const baseUrl = await service.ready;
    const credentials: Credentials = JSON.parse(
      readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'),
    );
    const pid = service.child.pid ?? 0;
    // `npm run fuzz` measures all operations.
    const report = await measureBodies({ baseUrl, pid, credentials, operations: ['addToCart'] });
    expect(report.faults.length, formatBodiesReport(report)).toBe(0);
  });
});
