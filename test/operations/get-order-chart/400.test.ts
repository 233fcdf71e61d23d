import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const startDate = 'startDate must be a valid ISO 8601 date string';
const endDate = 'endDate must be a valid ISO 8601 date string';
const interval = 'interval must be one of the following values: day, week, month';
const currency = 'currency must be an ISO 4217 currency code';
const tooMany = 'startDate must be later, or the interval longer: a chart has at most 1000 points';
const order = 'endDate must not be before startDate';

it.each<[string, string[]]>([
  ['startDate=x', [startDate]],
  ['startDate=2026-02-30', [startDate]],
  ['startDate=2026-13-01', [startDate]],
  ['startDate=0000-01-01', [startDate]],
  ['startDate=%00', [startDate]],
  ['startDate=2026-01-01&startDate=2026-01-02', ['startDate must not be given more than once']],
  ['endDate=2027-02-29', [endDate]],
  ['endDate=10000-01-01', [endDate]],
  ['endDate=2026-01-01T24:01', [endDate]],
  ['interval=hour', [interval]],
  ['interval=DAY', [interval]],
  ['interval=day&interval=week', ['interval must not be given more than once']],
  ['interval=__proto__', [interval]],
  ['currency=eur', [currency]],
  ['currency=EURO', [currency]],
  ['currency=EURO00', [currency]],
  ['currency=%00', [currency]],
  ['currency=EUR%0A', [currency]],
  ['startDate=2026-03-02&endDate=2026-03-01', [order]],
  ['startDate=9999-12-31', [order]],
  ['startDate=2024-01-01&endDate=2026-09-27', [tooMany]],
  ['startDate=0001-01-01', [tooMany]],
  ['startDate=2000-01-01&endDate=2025-01-01&interval=week', [tooMany]],
  ['startDate=1900-01-01&endDate=2000-01-01&interval=month', [tooMany]],
  ['startDate=x&endDate=y&interval=z&currency=1', [startDate, endDate, interval, currency]],
])('rejects %s', async (query, issues) => {
  const reply = await holder.ask('GET', `/dapp/orders/chart-data?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
