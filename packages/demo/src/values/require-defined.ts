/** Returns a value that the data of the demo guarantees. */
export function requireDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('The demo does not fit together');
  return value;
}
