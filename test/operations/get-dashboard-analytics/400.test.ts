import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([
  ['filterBy=year', 'filterBy must be one of the following values: day, week, month'],
  ['orderBy=newest', 'orderBy must be one of the following values: asc, desc'],
  ['startDate=yesterday', 'startDate must be a valid ISO 8601 date string'],
  ['endDate=2026-02-30', 'endDate must be a valid ISO 8601 date string'],
  ['startDate=2026-02-02&endDate=2026-02-01', 'endDate must not be before startDate'],
])('rejects %s', async (query, issue) => {
  const reply = await holder.ask('GET', `/dapp/dashboard/analytics?${query}`);
  expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
});
