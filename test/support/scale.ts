/**
 * How much random input the tests generate that are listed as `scaledTests` in `vitest.config.ts`: a sixth for `npm test`, four times as much
 * for `npm run test:long`.
 */
const scale = Number(process.env.TEST_SCALE ?? 1);

export const isLongRun = scale > 1;

/** Scales a number of runs, which is never less than one. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale));
}
