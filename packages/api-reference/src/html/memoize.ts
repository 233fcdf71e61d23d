// A reference has a few hundred different texts and repeats most of them on every operation.
const mostEntries = 2_000;

/** A pure function of text that remembers its results, up to a bound. */
export function memoize<Texts extends string[], Result>(
  compute: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const results = new Map<string, Result>();
  return (...texts) => {
    const key = texts.join('\0');
    let result = results.get(key);
    if (result === undefined) {
      result = compute(...texts);
      if (results.size >= mostEntries) results.clear();
      results.set(key, result);
    }
    return result;
  };
}
