/** A start that failed for a reason the operator can fix. The message says what is wrong and what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
