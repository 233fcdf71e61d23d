/** What a worker tells the process that keeps the ledger. Nothing of it is lost or overtaken on the way. */
export type ToLedger =
  | {
      readonly kind: 'ask';
      readonly policy: string;
      readonly key: string;
      readonly wanted: number;
      /** What the worker has of earlier grants and has not used. */
      readonly held: number;
      /** How many requests wait for the answer: they use what is granted at once. */
      readonly waiting: number;
    }
  | { readonly kind: 'return'; readonly policy: string; readonly key: string; readonly unused: number };

/** The answer to `ask`. */
export interface Grant {
  readonly policy: string;
  readonly key: string;
  /** None: the quota is used up. */
  readonly granted: number;
  /** What the worker has now, by the books of the ledger. */
  readonly held: number;
  /** The caller's debt, with all that was granted counted as used. */
  readonly debtMs: number;
}

/** A worker's way to the ledger. */
export interface LedgerLink {
  /** False when there is no way any more. */
  send(message: ToLedger): boolean;
  onGrant(listener: (grant: Grant) => void): void;
}
