import { type ChildProcess, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { SystemUser } from './path-access.ts';

export interface Program {
  file: string;
  args: string[];
  environment: Record<string, string>;
  user: SystemUser | null;
  cwd: string;
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
  const { file, args, user, cwd } = program;
  const child = spawn(file, args, {
    // Node gives up all groups and capabilities of root. The numbers are signed there.
    ...(user === null ? {} : { uid: user.uid | 0, gid: user.gid | 0 }),
    // Entered before the user changes.
    cwd,
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
