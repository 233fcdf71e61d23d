/** A reason for which there is no chain, told in a sentence to whoever asked for one. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}
