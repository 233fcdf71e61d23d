import { catalogue } from './catalogue.ts';
import { csv } from './csv.ts';
import { exportPages } from './export-pages.ts';
import { figures } from './figures.ts';
import { growth } from './growth.ts';
import { oneOrder } from './one-order.ts';
import { overload } from './overload.ts';
import { placingOrders } from './placing-orders.ts';
import type { Scenario } from './scenario.ts';
import { start } from './start.ts';

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  catalogue,
  oneOrder,
  placingOrders,
  exportPages,
  csv,
  figures,
  growth,
  start,
  overload,
];

export const scenarioNames = scenarios.map(({ name }) => name);
