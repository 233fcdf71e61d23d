export interface PeriodicJob {
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

export interface PeriodicWork {
  readonly everyMs: number;
  /** Should return soon after the signal is aborted. */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** A share of the interval by which runs vary, so that processes that started together drift apart. */
const jitter = 0.2;

/** Runs the work repeatedly, never two runs at a time. Does not keep the process alive. */
export function runPeriodically({ everyMs, work, onError }: PeriodicWork): PeriodicJob {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const schedule = (): void => {
    const pauseMs = everyMs * (1 + jitter * (Math.random() - 0.5));
    timer = setTimeout(() => {
      running = run();
    }, pauseMs).unref();
  };
  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal);
    } catch (error) {
      onError(error);
    }
    if (!stopping.signal.aborted) schedule();
  };
  schedule();

  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
