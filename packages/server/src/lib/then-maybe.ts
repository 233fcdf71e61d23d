/**
 * Goes on with a value at once where it is there already. On the way of every request nearly everything is, and a promise
 * for each step would cost more than the step.
 */
export function thenMaybe<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
