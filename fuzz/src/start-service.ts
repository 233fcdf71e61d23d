import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A service that the fuzzer has started. */
export interface StartedService {
  readonly baseUrl: string;
  readonly pid: number;
  /** The demo credentials. */
  readonly credentialsFile: string;
  /** What the service has printed, and the errors that it has logged. */
  readLog(): string;
  /** Stops the service and removes its data. */
  end(): Promise<void>;
}

const entry = fileURLToPath(new URL('../../packages/server/dist/bundle/main.js', import.meta.url));
const readyLine = /^Keyfront is ready: (\S+)$/m;
const pollMs = 20;

/** Starts a service with demo data in a temporary folder. */
export async function startService(settings: { readonly RATE_LIMIT: 'on' | 'off' }): Promise<StartedService> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-fuzz-'));
  const data = join(folder, 'data');
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { PATH: process.env.PATH, KEYFRONT_DATA: data, PORT: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const readLog = () => readFileSync(logFile, 'utf8');
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (;;) {
    const [, baseUrl] = readyLine.exec(readLog()) ?? [];
    if (baseUrl) {
      return { baseUrl, pid: child.pid ?? 0, credentialsFile: join(data, 'demo.json'), readLog, end };
    }
    if (child.exitCode !== null || child.signalCode !== null) {
      const log = readLog();
      await end();
      throw new Error(`The service did not start:\n${log}`);
    }
    await delay(pollMs);
  }
}
