/** What is remembered of a block: enough to see whether the chain still contains it. */
export interface LightBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}
