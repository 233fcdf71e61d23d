/** Makes something when it is first used. The first formatter of a page takes tens of milliseconds on a phone, before anything is shown. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
