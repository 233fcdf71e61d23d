import type { BodiesReport } from './bodies/measure-bodies.ts';
import { formatCommand } from './fuzzed-request.ts';
import type { Fault, FuzzReport } from './run-fuzz.ts';

/** What a run has found, for people. */
export function formatReport(report: FuzzReport, baseUrl: string): string {
  const { requests, faults, countByStatus, neverSucceeded, slowestMs, largestRefusalBytes } = report;
  const statuses = [...countByStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`);
  return [
    ...faults.map((fault) => formatFault(fault, baseUrl)),
    `Requests: ${requests}`,
    `Statuses: ${statuses.join(', ')}`,
    `Slowest response: ${Math.round(slowestMs)} ms`,
    `Largest refusal: ${largestRefusalBytes} bytes`,
    ...(neverSucceeded.length > 0
      ? [
          `Refused in all forms that this run has sent (more requests reach them): ${neverSucceeded.join(', ')}`,
        ]
      : []),
    faults.length === 0 ? 'No faults' : `Faults: ${faults.length}`,
  ].join('\n');
}

/** What large bodies cost, for people. */
export function formatBodiesReport({ requests, smallMs, faults, expensive }: BodiesReport): string {
  return [
    ...faults.map((fault) => `Fault: ${fault}`),
    `Requests: ${requests}`,
    `A small valid request: ${smallMs.toFixed(2)} ms of processor time`,
    ...expensive.map((request) => `Among the most expensive ones: ${request}`),
    faults.length === 0 ? 'No faults' : `Faults: ${faults.length}`,
  ].join('\n');
}

function formatFault({ index, reason, request, response }: Fault, baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  const { method, target, operation } = request;
  return [
    `Fault in request ${index} (${operation}): ${reason}`,
    `  ${method} ${target.slice(0, 300)}`,
    `  Response: ${response ?? 'none'}`,
    `  Again: ${formatCommand(request, { host: hostname, port: Number(port) })}`,
    '',
  ].join('\n');
}
