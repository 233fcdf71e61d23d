/**
 * Limits how often something is read. Callers within the interval share the last result, also if it was an error, and
 * callers during a read share that read.
 */
export function atMostEvery<Value>(
  intervalMs: number,
  read: () => Promise<Value>,
  now: () => number = () => performance.now(),
): () => Promise<Value> {
  let last: Promise<Value> | null = null;
  let startedAt = 0;
  let isReading = false;
  return () => {
    if (last && (isReading || now() - startedAt < intervalMs)) return last;
    startedAt = now();
    isReading = true;
    last = read().finally(() => {
      isReading = false;
    });
    return last;
  };
}
