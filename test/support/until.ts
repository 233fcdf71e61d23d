const patienceMs = 20_000;

/** Reads again and again until it is as wanted; gives what it then is. Fails with what it is when that takes too long. */
export async function until<Value>(
  read: () => Promise<Value>,
  isReached: (value: Value) => boolean,
): Promise<Value> {
  for (const giveUpAt = Date.now() + patienceMs; ; ) {
    const value = await read();
    if (isReached(value)) return value;
    if (Date.now() > giveUpAt) throw new Error(`Not reached: ${JSON.stringify(value)}`);
    // What is read may need this process to come about.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
