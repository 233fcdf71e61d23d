import type { LightBlock } from './light-block.ts';

/** What the reader has: how far it has read, and the blocks that may still be reorganised, by number. */
export interface ReaderState {
  /** The last block whose facts are in the tables; one before the first while there is none. */
  readonly position: number;
  /** The newest block that was final when it was looked at; the anchor of the kept ones. */
  readonly finalized: number;
  /** From the anchor up to the position, without a gap; empty before the first. */
  readonly kept: readonly LightBlock[];
}

/** What the node says of its chain. */
export interface ChainView {
  readonly head: LightBlock;
  readonly finalized: LightBlock;
}

/** What to do next. */
export type Step =
  /** There is nothing new, or the node is behind: ask again later. */
  | { readonly kind: 'wait' }
  /** Read these final blocks at once; nothing of them can change. */
  | { readonly kind: 'history'; readonly from: number; readonly to: number }
  /** Read this block, if it stands on the one before. */
  | { readonly kind: 'next'; readonly number: number }
  /** A kept block is no longer part of the chain: find the last one that is, and undo what came after. */
  | { readonly kind: 'fork'; readonly highest: number };

/**
 * Decides from what the reader has and what the node says. Pure, so that every case can be tried:
 *
 * 1. The node is behind the position and on the same chain: wait. It may be one of several behind one address.
 * 2. The head, or the final block, is one that the reader has under another hash: fork.
 * 3. The final block is beyond the position: everything up to it is history, once the position is known to be on this
 *    chain (by its kept block; without one there is nothing to be wrong about).
 * 4. Otherwise one block at a time, each checked against the one before.
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

/** Where the reader and the chain part: the highest kept block that the node has too. Null: below what was final. */
export function findAncestor(
  kept: readonly LightBlock[],
  fromNode: ReadonlyMap<number, LightBlock>,
): LightBlock | null {
  for (const block of [...kept].reverse()) {
    if (fromNode.get(block.number)?.hash === block.hash) return block;
  }
  return null;
}

export function findKept(kept: readonly LightBlock[], number: number): LightBlock | undefined {
  const first = kept[0];
  return first && kept[number - first.number];
}
