/** The part of a block that tells whether the chain still contains it. */
export interface LightBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}
