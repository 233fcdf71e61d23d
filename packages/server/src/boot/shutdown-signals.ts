const signals = ['SIGINT', 'SIGTERM'] as const;
/** npm passes on the signal that the terminal has sent to all processes, so one Ctrl-C can arrive twice. */
const sameSignalMs = 1_000;

export interface ShutdownSignalHandlers {
  /** Called for the first signal. */
  readonly onFirst: () => void;
  /** Called for each further signal that is not a repetition of the first. */
  readonly onFurther: (signal: NodeJS.Signals) => void;
  readonly now?: () => number;
}

/** Watches for `SIGINT` and `SIGTERM`. The first one asks the service to shut down, a further one to end at once. */
export function watchShutdownSignals(
  source: NodeJS.EventEmitter,
  { onFirst, onFurther, now = () => performance.now() }: ShutdownSignalHandlers,
): void {
  let firstAt: number | null = null;
  for (const signal of signals) {
    source.on(signal, () => {
      if (firstAt === null) {
        firstAt = now();
        onFirst();
      } else if (now() - firstAt >= sameSignalMs) {
        onFurther(signal);
      }
    });
  }
}
