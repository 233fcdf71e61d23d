/** Asks the receiver of webhooks how many deliveries it has accepted. */
export type ReceiverJob = Record<string, never>;

export interface ReceiverState {
  /** Where deliveries are accepted. */
  readonly url: string;
  readonly deliveries: number;
}
