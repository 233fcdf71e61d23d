/** An expected failure of `npm run chain`. The command prints its message without a stack trace. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}
