export interface PeriodicJob {
  /** Begins nothing new, and waits for what is running. */
  stop(): Promise<void>;
}

export interface PeriodicWork {
  readonly everyMs: number;
  /** Is told through the signal when it should come to an end. */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

// So that processes that were started together do not work together for ever.
const jitter = 0.2;

/** Does something again and again, never twice at a time. Does not keep the process alive. */
export function runPeriodically({ everyMs, work, onError }: PeriodicWork): PeriodicJob {
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const schedule = (): void => {
    timer = setTimeout(run, everyMs * (1 + jitter * (Math.random() - 0.5)));
    timer.unref();
  };
  const run = (): void => {
    running = attempt(work, ending.signal, onError).then(() => {
      if (!ending.signal.aborted) schedule();
    });
  };
  schedule();

  return {
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

async function attempt(
  work: PeriodicWork['work'],
  signal: AbortSignal,
  onError: PeriodicWork['onError'],
): Promise<void> {
  try {
    await work(signal);
  } catch (error) {
    onError(error);
  }
}
