/** The part of a block that tells whether the chain still contains it. */
export interface LightBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}

/** The state of the reader: its position, and the blocks that can still be reorganized, by number. */
export interface ReaderState {
  /** The last block whose events are applied; one less than the first block before the first step. */
  readonly position: number;
  /** The newest block known to be final; the anchor of the kept blocks. */
  readonly finalized: number;
  /** From the anchor to the position, without gaps; empty before the first step. */
  readonly kept: readonly LightBlock[];
}

/** The head and the final block of the node. */
export interface ChainView {
  readonly head: LightBlock;
  readonly finalized: LightBlock;
}

/** The next step. */
export type Step =
  /** Nothing is new, or the node is behind: try again later. */
  | { readonly kind: 'wait' }
  /** Read these final blocks in one range, because they cannot change. */
  | { readonly kind: 'history'; readonly from: number; readonly to: number }
  /** Read this block, if its parent is the block before. */
  | { readonly kind: 'next'; readonly number: number }
  /** A kept block is no longer part of the chain: find the last common block and undo everything above it. */
  | { readonly kind: 'fork'; readonly highest: number };

/**
 * Chooses the next step from the state of the reader and the view of the node. Pure, so every case can be tested:
 *
 * 1. The node is behind the position and on the same chain: wait. Several nodes may share one URL.
 * 2. The head or the final block has another hash than the kept block with its number: fork.
 * 3. The final block is beyond the position: read everything up to it as history. The reader first checks its last kept
 *    block, if there is one.
 * 4. Otherwise read one block at a time, and check its parent.
 */
export function planStep({ position, kept }: ReaderState, { head, finalized }: ChainView): Step {
  for (const seen of [finalized, head]) {
    const ours = findKept(kept, seen.number);
    if (ours && ours.hash !== seen.hash) return { kind: 'fork', highest: Math.min(seen.number, position) };
  }
  if (head.number <= position) return { kind: 'wait' };
  if (finalized.number > position) return { kind: 'history', from: position + 1, to: finalized.number };
  return { kind: 'next', number: position + 1 };
}

/** Finds the highest kept block that the node also has. Null means that the chain forked below a final block. */
export function findAncestor(
  kept: readonly LightBlock[],
  fromNode: ReadonlyMap<number, LightBlock>,
): LightBlock | null {
  for (const block of [...kept].reverse()) {
    if (fromNode.get(block.number)?.hash === block.hash) return block;
  }
  return null;
}

function findKept(kept: readonly LightBlock[], number: number): LightBlock | undefined {
  const first = kept[0];
  return first && kept[number - first.number];
}
