import { readFileSync } from 'node:fs';
import type { Credentials } from './identities.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { formatReport } from './report.ts';
import { runFuzz } from './run-fuzz.ts';
import { startService } from './start-service.ts';

const progressIntervalMs = 5_000;

/** Runs the fuzzer against a service of its own, or against the one that the options name. Returns whether all was well. */
async function run(options: Options): Promise<boolean> {
  const { url, credentials, seed } = options;
  process.stdout.write(`Seed: ${seed}\n`);
  if (url !== null && credentials !== null) return fuzz(options, url, credentials);
  print('Starting a service');
  const service = await startService();
  try {
    const isWell = await fuzz(options, service.baseUrl, service.credentialsFile);
    if (!isWell) process.stdout.write(`Log of the service:\n${service.readLog().slice(-20_000)}\n`);
    return isWell;
  } finally {
    await service.end();
  }
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
