import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One run of pgbench. */
export interface PgbenchJob {
  readonly databaseUrl: string;
  /** A pgbench script. */
  readonly scriptFile: string;
  readonly connections: number;
  readonly transactionsPerConnection: number;
  readonly variables: Readonly<Record<string, string | number>>;
  /** Session settings. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Finds pgbench in `PGBENCH`, on the path or in Debian's folders. Returns null without one. */
export function findPgbench(): string | null {
  const candidates = [process.env.PGBENCH, 'pgbench', ...debianPrograms()];
  return candidates.find((program) => program !== undefined && runs(program)) ?? null;
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function debianPrograms(): string[] {
  const folder = '/usr/lib/postgresql';
  try {
    return readdirSync(folder).map((version) => join(folder, version, 'bin', 'pgbench'));
  } catch {
    return [];
  }
}

const run = promisify(execFile);

/** Runs pgbench and returns transactions per second. */
export async function runPgbench(program: string, job: PgbenchJob): Promise<number> {
  const { username, password, hostname, port, pathname } = new URL(job.databaseUrl);
  const { stdout, stderr } = await run(
    program,
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${job.connections}`,
      `--transactions=${job.transactionsPerConnection}`,
      `--file=${job.scriptFile}`,
      ...Object.entries(job.variables).map(([name, value]) => `--define=${name}=${value}`),
      `--host=${hostname}`,
      `--port=${port}`,
      `--username=${username}`,
      pathname.slice(1),
    ],
    {
      env: {
        ...process.env,
        PGPASSWORD: decodeURIComponent(password),
        PGOPTIONS: Object.entries(job.settings)
          .map(([name, value]) => `-c ${name}=${value}`)
          .join(' '),
      },
    },
  );
  const [, rate] = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(stdout) ?? [];
  if (rate === undefined || !/number of failed transactions: 0 /.test(stdout)) {
    throw new Error(`Unexpected output of pgbench:\n${stdout}${stderr}`);
  }
  return Number(rate);
}

/** Writes a pgbench script and returns its path. */
export async function writeScript(folder: string, name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.pgbench`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}
