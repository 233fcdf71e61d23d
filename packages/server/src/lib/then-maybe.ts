/**
 * Skips the promise for synchronous values. On the hot path nearly all values are cached, and a promise for each step would cost more than
 * the step.
 */
export function thenMaybe<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
