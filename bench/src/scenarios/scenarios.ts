import { archive } from './archive.ts';
import { bound } from './bound.ts';
import { catalogue } from './catalogue.ts';
import { checkout } from './checkout.ts';
import { csv } from './csv.ts';
import { decisions } from './decisions.ts';
import { exportPages } from './export-pages.ts';
import { fairness } from './fairness.ts';
import { growth } from './growth.ts';
import { oneOrder } from './one-order.ts';
import { overload } from './overload.ts';
import type { Scenario } from './scenario.ts';
import { search } from './search.ts';
import { start } from './start.ts';
import { stats } from './stats.ts';
import { tenfold } from './tenfold.ts';
import { webhooks } from './webhooks.ts';

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  catalogue,
  bound,
  oneOrder,
  checkout,
  webhooks,
  exportPages,
  csv,
  stats,
  growth,
  search,
  start,
  overload,
  fairness,
  decisions,
  tenfold,
  archive,
];

export const scenarioNames = scenarios.map(({ name }) => name);
