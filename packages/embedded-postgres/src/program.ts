import { type ChildProcess, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { RunAs } from './run-as.ts';

export interface Program {
  file: string;
  args: string[];
  environment: Record<string, string>;
  runAs: RunAs;
  /** Takes everything the program prints. */
  logFd: number;
}

export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningProgram {
  pid: number;
  child: ChildProcess;
  exited: Promise<ProgramExit>;
}

/** Starts a PostgreSQL program in a process group of its own: Ctrl-C in the terminal reaches only the service. */
export async function runProgram(program: Program): Promise<RunningProgram> {
  const [file = program.file, ...args] = [...program.runAs.prefix, program.file, ...program.args];
  const child = spawn(file, args, {
    ...program.runAs.spawnOptions,
    cwd: '/',
    env: program.environment,
    detached: true,
    stdio: ['ignore', program.logFd, program.logFd],
  });
  const exited = new Promise<ProgramExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', (error) =>
      reject(
        new EmbeddedPostgresError(
          `The embedded PostgreSQL cannot run on this system (${error.message}): set DATABASE_URL to a ` +
            'PostgreSQL of your own.',
        ),
      ),
    );
  });
  if (child.pid === undefined) {
    throw new Error(`${file} runs without a pid`);
  }
  return { pid: child.pid, child, exited };
}
