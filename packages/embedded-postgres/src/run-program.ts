import { type ChildProcess, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { RunAs } from './run-as.ts';

export interface Program {
  file: string;
  args: string[];
  environment: Record<string, string>;
  runAs: RunAs;
  /** Receives standard output and standard error. */
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

/** Starts a PostgreSQL program in its own process group, so that Ctrl-C in a terminal reaches only the parent. */
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
          'BINARIES_NOT_RUNNABLE',
          `The PostgreSQL programs do not run on this system (${error.message})`,
          { cause: error },
        ),
      ),
    );
  });
  if (child.pid === undefined) {
    throw new Error(`${file} was started without a pid`);
  }
  return { pid: child.pid, child, exited };
}
