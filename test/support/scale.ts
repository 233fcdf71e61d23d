/**
 * How much more of their random input the tests generate that are listed as `scaledTests` in `vitest.config.ts`. It is 1 for
 * `npm test`, and more for `npm run test:long`.
 */
export const scale = Number(process.env.TEST_SCALE ?? 1);
