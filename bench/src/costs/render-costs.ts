import type { Costs } from './measure-costs.ts';

const format = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Returns the table of the sizing guide. */
export function renderCosts({ costs, orderBytes }: Costs): string {
  const lines = costs.map(
    ({ what, serviceUs, databaseUs, responseBytes, walBytes }) =>
      `| ${what} | ${format(serviceUs)} | ${format(databaseUs)} | ${responseBytes === 0 ? '' : format(responseBytes)} | ${format(walBytes)} |`,
  );
  return [
    '| Operation | Service, µs | Database, µs | Response, bytes | Log, bytes |',
    '|---|---:|---:|---:|---:|',
    ...lines,
    '',
    `An order takes ${format(orderBytes)} bytes on the disk.`,
  ].join('\n');
}
