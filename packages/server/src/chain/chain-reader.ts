import type { Database } from '../database/database.ts';
import { systemScope } from '../database/scope.ts';
import type { RunInTransaction } from '../database/transaction.ts';
import type { ChainEvent } from './chain-event.ts';
import type { ChainSource, TimedBlock } from './chain-source.ts';
import { applyEvents } from './events/apply-events.ts';
import { undoFactsAbove } from './events/undo-events.ts';
import { type ChainView, findAncestor, planStep } from './plan-step.ts';
import {
  forgetAbove,
  forgetBelow,
  keepBlock,
  moveReader,
  type ReaderName,
  raiseAlarm,
  readState,
  type StoredState,
} from './position-queries.ts';
import { readLogs } from './read-logs.ts';
import { RpcFault, TooMuchAsked } from './rpc-fault.ts';

export interface ChainReaderParts {
  readonly database: Database;
  readonly source: ChainSource;
  readonly name: ReaderName;
  readonly startBlock: number;
  /** Told of each step that changed something. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly position: number;
  readonly head: number;
  /** How many blocks a reorganisation took back; 0 for steps forward. */
  readonly undone: number;
}

/** What a step came to: there may be more to do, there is nothing new, or a person has to look. */
export type Outcome = 'moved' | 'waiting' | 'stopped';

const longestRange = 10_000;
const firstRange = 2_000;
/** How often a node must deny a final block before it is believed. */
const timesToBeSure = 3;
/** Blocks that are asked for at the same time. */
const blocksAtOnce = 8;

/**
 * Brings the tables to where the chain is, step by step. Each step is one transaction that moves the position together with
 * what the blocks say, so that a reader that dies anywhere goes on where it was, and nothing is ever half applied.
 */
export class ChainReader {
  readonly #parts: ChainReaderParts;
  #rangeBlocks = firstRange;
  #timesBelowFinality = 0;

  constructor(parts: ChainReaderParts) {
    this.#parts = parts;
  }

  /** One step. Throws an `RpcFault` when the node gave nothing of use: the same may work later. */
  async step(): Promise<Outcome> {
    const { database, source, name, startBlock } = this.#parts;
    const state = await readState(database, name, startBlock);
    if (state.alarm !== null) return 'stopped';
    const view = await source.readView();
    const plan = planStep(state, view);
    switch (plan.kind) {
      case 'wait':
        return 'waiting';
      case 'fork':
        return this.#goBack(state, view);
      case 'history':
        return this.#readHistory(state, view, plan.to);
      case 'next':
        return this.#readNext(state, view, plan.number);
    }
  }

  async #readNext(state: StoredState, view: ChainView, number: number): Promise<Outcome> {
    const { source } = this.#parts;
    const block = await source.readBlock(number);
    if (!block) throw new RpcFault(`The node has a head and lacks block ${number} below it`);
    const last = state.kept.at(-1);
    if (last && block.parentHash !== last.hash) return this.#goBack(state, view);
    const facts = readLogs(await source.readLogs({ blockHash: block.hash }), this.#parts.name.contracts);
    return this.#write(state, view, block, (run) => {
      keepBlock(run, this.#parts.name.chainId, block);
      return this.#apply(run, facts, [block], true);
    });
  }

  /** Reads final blocks, as many at once as the node lets, after a look whether the reader is on this chain at all. */
  async #readHistory(state: StoredState, view: ChainView, finalized: number): Promise<Outcome> {
    const { source, name } = this.#parts;
    const last = state.kept.at(-1);
    if (last && (await source.readBlock(last.number))?.hash !== last.hash) return this.#goBack(state, view);
    const from = state.position + 1;
    const to = Math.min(finalized, from + this.#rangeBlocks - 1);
    const facts = readLogs(await this.#readRange(from, to), name.contracts);
    const blocks = await this.#readBlocks([...new Set([...facts.map(({ place }) => place.blockNumber), to])]);
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    if (facts.some(({ place }) => hashes.get(place.blockNumber) !== place.blockHash)) {
      throw new RpcFault('The node gave logs of blocks that its chain does not have');
    }
    const anchor = blocks.find(({ number }) => number === to);
    if (!anchor) throw new RpcFault(`The node lacks the final block ${to}`);
    return this.#write(state, view, anchor, async (run) => {
      await this.#apply(run, facts, blocks, false);
      forgetBelow(run, name.chainId, to);
      keepBlock(run, name.chainId, anchor);
    });
  }

  async #readBlocks(numbers: readonly number[]): Promise<TimedBlock[]> {
    const blocks: TimedBlock[] = [];
    for (let at = 0; at < numbers.length; at += blocksAtOnce) {
      const some = numbers.slice(at, at + blocksAtOnce).map(async (number) => {
        const block = await this.#parts.source.readBlock(number);
        if (!block) throw new RpcFault(`The node lacks the final block ${number}`);
        return block;
      });
      blocks.push(...(await Promise.all(some)));
    }
    return blocks;
  }

  async #readRange(from: number, to: number) {
    try {
      const logs = await this.#parts.source.readLogs({ from, to });
      this.#rangeBlocks = Math.min(longestRange, Math.ceil(this.#rangeBlocks * 1.5));
      return logs;
    } catch (error) {
      if (error instanceof TooMuchAsked) this.#rangeBlocks = Math.max(1, Math.floor((to - from + 1) / 2));
      throw error;
    }
  }

  /** The chain was reorganised: undoes what is no longer said, down to the last block that both have. */
  async #goBack(state: StoredState, view: ChainView): Promise<Outcome> {
    const { database, source, name } = this.#parts;
    const fromNode = new Map<number, TimedBlock>();
    for (const { number, hash } of [...state.kept].reverse()) {
      if (number > view.head.number) continue;
      const block = await source.readBlock(number);
      if (!block) throw new RpcFault(`The node has a head and lacks block ${number} below it`);
      fromNode.set(number, block);
      if (block.hash === hash) break;
    }
    const ancestor = findAncestor(state.kept, fromNode);
    if (!ancestor) {
      // A node may err, and nobody but a person lifts the alarm: it must say so again and again.
      if (++this.#timesBelowFinality < timesToBeSure)
        throw new RpcFault('The node denies a block that was final');
      await raiseAlarm(database, name, belowFinality(state));
      return 'stopped';
    }
    this.#timesBelowFinality = 0;
    const { number } = ancestor;
    return this.#commit(state, view, number, async (run) => {
      await undoFactsAbove(run, name.chainId, number);
      forgetAbove(run, name.chainId, number);
    });
  }

  #apply(
    run: RunInTransaction,
    facts: readonly ChainEvent[],
    blocks: readonly TimedBlock[],
    isUndoable: boolean,
  ): Promise<void> {
    const times = new Map(blocks.map(({ number, timeMs }) => [number, new Date(timeMs)]));
    const timeOf = (number: number) => times.get(number) ?? new Date(0);
    return applyEvents(run, { chainId: this.#parts.name.chainId, facts, timeOf, isUndoable });
  }

  async #write(
    state: StoredState,
    view: ChainView,
    block: TimedBlock,
    work: (run: RunInTransaction) => Promise<void>,
  ): Promise<Outcome> {
    this.#timesBelowFinality = 0;
    return this.#commit(state, view, block.number, async (run) => {
      await work(run);
      forgetBelow(run, this.#parts.name.chainId, Math.min(view.finalized.number, block.number));
    });
  }

  async #commit(
    state: StoredState,
    view: ChainView,
    to: number,
    work: (run: RunInTransaction) => Promise<void>,
  ): Promise<Outcome> {
    const { database, name, onProgress } = this.#parts;
    const finalized = Math.min(view.finalized.number, to);
    const isMoved = await database.transaction(systemScope, async (run) => {
      if (!(await moveReader(run, name, { from: state.position, to, finalized }))) return false;
      await work(run);
      return true;
    });
    if (isMoved)
      onProgress?.({ position: to, head: view.head.number, undone: Math.max(0, state.position - to) });
    return 'moved';
  }
}

function belowFinality({ kept, finalized }: StoredState): string {
  return (
    `The chain was reorganised below block ${kept[0]?.number ?? finalized}, which was final. Nothing was changed. ` +
    'Find out whether the node is on the right chain; see "The chain" in the documentation for operators.'
  );
}
