import { setTimeout as delay } from 'node:timers/promises';
import { type Program, type ProgramExit, runProgram } from './run-program.ts';

const shutdownSteps: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 10_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
];

/** A running PostgreSQL server process. */
export interface ServerProcess {
  pid: number;
  /** Null while the server runs. */
  exit(): ProgramExit | null;
  exited: Promise<ProgramExit>;
  isStopping(): boolean;
  /** Requests a fast shutdown, then kills the server. Every call waits until it has ended. */
  stop(): Promise<void>;
  /** From now on the server does not keep the event loop of this process alive. */
  unref(): void;
}

export async function startServerProcess(program: Program): Promise<ServerProcess> {
  const { pid, child, exited } = await runProgram(program);
  // If this process exits without calling stop(), the server is shut down too.
  const interrupt = () => {
    child.kill('SIGINT');
  };
  process.once('exit', interrupt);
  let exit: ProgramExit | null = null;
  let stopping: Promise<void> | null = null;
  void exited.then((result) => {
    exit = result;
    process.off('exit', interrupt);
  });

  async function shutDown(): Promise<void> {
    child.ref();
    for (const { signal, timeoutMs } of shutdownSteps) {
      child.kill(signal);
      if (await settlesWithin(exited, timeoutMs)) {
        return;
      }
    }
    child.kill('SIGKILL');
    await exited;
  }

  return {
    pid,
    exited,
    exit: () => exit,
    isStopping: () => stopping !== null,
    stop: () => {
      if (exit === null) {
        stopping ??= shutDown();
      }
      return stopping ?? Promise.resolve();
    },
    unref: () => child.unref(),
  };
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise.then(() => true),
      delay(timeoutMs, false, { signal: timer.signal }).catch(() => false),
    ]);
  } finally {
    timer.abort();
  }
}
