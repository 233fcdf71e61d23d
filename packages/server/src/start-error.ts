/** A start that cannot go on, told in one sentence to the person who typed the command: what is wrong and what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
