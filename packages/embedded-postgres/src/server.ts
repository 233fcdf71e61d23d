import { setTimeout as delay } from 'node:timers/promises';
import { type Program, type ProgramExit, runProgram } from './program.ts';

const shutdownSteps: { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
];

/** A running PostgreSQL server process. */
export interface Server {
  pid: number;
  /** Null while the server lives. */
  exit(): ProgramExit | null;
  exited: Promise<ProgramExit>;
  isStopping(): boolean;
  /** Ends it: fast shutdown, then by force. Every call waits until it has ended. */
  stop(): Promise<void>;
  /** From now on the server does not keep this process running. */
  letGo(): void;
}

export async function startServer(program: Program): Promise<Server> {
  const { pid, child, exited } = await runProgram(program);
  // A service that ends without stop() takes its server with it.
  const interrupt = () => {
    child.kill('SIGINT');
  };
  process.once('exit', interrupt);
  let exit: ProgramExit | null = null;
  let stopping: Promise<void> | null = null;
  exited.then((result) => {
    exit = result;
    process.off('exit', interrupt);
  });

  async function shutDown(): Promise<void> {
    child.ref();
    for (const { signal, patienceMs } of shutdownSteps) {
      child.kill(signal);
      if (await endsWithin(exited, patienceMs)) {
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
    letGo: () => child.unref(),
  };
}

async function endsWithin(exited: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const patience = new AbortController();
  try {
    return await Promise.race([
      exited.then(() => true),
      delay(milliseconds, false, { signal: patience.signal }).catch(() => false),
    ]);
  } finally {
    patience.abort();
  }
}
