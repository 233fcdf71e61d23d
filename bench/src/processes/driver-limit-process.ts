import pg from 'pg';
import { serveParent } from './child.ts';
import type { DriverLimitJob, DriverLimitResult } from './driver-limit.ts';

serveParent<DriverLimitJob, DriverLimitResult>(
  async ({ databaseUrl, text, values, connections, seconds }) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    const query = { name: 'limit', text, values: [...values] };
    await Promise.all(Array.from({ length: connections }, () => pool.query(query)));
    let count = 0;
    const start = performance.now();
    const end = start + seconds * 1000;
    const loop = async () => {
      while (performance.now() < end) {
        await pool.query(query);
        count++;
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const rate = (count * 1000) / (performance.now() - start);
    await pool.end();
    return { rate };
  },
);
