import { readFileSync } from 'node:fs';
import { measureBodies, measureSuspects } from './bodies/measure-bodies.ts';
import type { Credentials } from './identities.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { formatBodiesReport, formatReport } from './report.ts';
import { runFuzz } from './run-fuzz.ts';
import { type StartedService, startService } from './start-service.ts';

const progressIntervalMs = 5_000;

/** Runs the fuzzer against services of its own, or against the one that the options name. Returns whether all was well. */
async function run(options: Options): Promise<boolean> {
  const { only, url, credentials, seed } = options;
  process.stdout.write(`Seed: ${seed}\n`);
  if (url !== null && credentials !== null) return fuzz(options, url, credentials);
  let isWell = true;
  if (only.includes('requests')) {
    isWell = await onService('off', async ({ baseUrl, credentialsFile, readLog }) => {
      const hasNoFaults = await fuzz(options, baseUrl, credentialsFile);
      if (!hasNoFaults) process.stdout.write(`Log of the service:\n${readLog().slice(-20_000)}\n`);
      return hasNoFaults;
    });
  }
  if (only.includes('bodies')) {
    // One after the other: each measures processor time.
    for (const [rateLimit, measure] of [
      ['off', measureBodies],
      ['on', measureSuspects],
    ] as const) {
      isWell = (await onService(rateLimit, (service) => measureOn(service, measure))) && isWell;
    }
  }
  return isWell;
}

/** Rate limits are off where all requests have one sender, and get far. */
async function onService(
  rateLimit: 'on' | 'off',
  work: (service: StartedService) => Promise<boolean>,
): Promise<boolean> {
  print('Starting a service');
  const service = await startService({ RATE_LIMIT: rateLimit });
  try {
    return await work(service);
  } finally {
    await service.end();
  }
}

async function measureOn(
  { baseUrl, pid, credentialsFile }: StartedService,
  measure: typeof measureBodies,
): Promise<boolean> {
  const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials;
  const report = await measure({ baseUrl, pid, credentials, onProgress: print });
  process.stdout.write(`${formatBodiesReport(report)}\n`);
  return report.faults.length === 0;
}

async function fuzz(
  { requests, seed, connections }: Options,
  baseUrl: string,
  file: string,
): Promise<boolean> {
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  let printedAt = 0;
  const onProgress = (done: number) => {
    if (performance.now() - printedAt < progressIntervalMs) return;
    printedAt = performance.now();
    print(`${done} of ${requests} requests`);
  };
  const report = await runFuzz({ baseUrl, credentials, requests, seed, connections, onProgress });
  process.stdout.write(`${formatReport(report, baseUrl)}\n`);
  return report.faults.length === 0;
}

function print(message: string): void {
  const seconds = Math.round(performance.now() / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${message}\n`);
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  return (await run(options)) ? 0 : 1;
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    const isUsage = error instanceof UsageError;
    process.stderr.write(isUsage ? `${error.message}\n\n${usage}\n` : `${error?.stack ?? error}\n`);
    process.exitCode = isUsage ? 2 : 1;
  },
);
