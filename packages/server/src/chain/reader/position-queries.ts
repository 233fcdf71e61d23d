import type { LightBlock, ReaderState, WatchedContracts } from '@keyfront/evm/chain';
import { statement } from '@keyfront/postgres';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** Identifies a reader: its chain and contracts. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly contracts: WatchedContracts;
}

export interface StoredState extends ReaderState {
  readonly alarm: string | null;
}

const nameValues = ({ chainId, contracts }: ChainIdentity) => [
  chainId,
  contracts.token,
  contracts.marketplace,
];
const isNamed = 'chain_id = $1 AND token_contract = $2 AND marketplace_contract = $3';

// Blocks and changes belong to a chain. Those of a reader of other contracts on the same chain would be taken for blocks that the
// new reader has read, so its changes become final.
const insertPosition = statement(
  'chain.insert-position',
  `WITH made AS (
     INSERT INTO chain_positions (chain_id, token_contract, marketplace_contract, block_number, finalized_number)
     VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING RETURNING chain_id
   ), blocks AS (DELETE FROM chain_blocks USING made WHERE chain_blocks.chain_id = made.chain_id)
   DELETE FROM chain_changes USING made WHERE chain_changes.chain_id = made.chain_id`,
);
const readPosition = statement<{
  position: number;
  finalized: number;
  alarm: string | null;
  kept: LightBlock[];
}>(
  'chain.position',
  `SELECT block_number AS position, finalized_number AS finalized, alarm, coalesce((
     SELECT json_agg(json_build_object('number', number, 'hash', hash, 'parentHash', parent_hash) ORDER BY number)
     FROM chain_blocks WHERE chain_blocks.chain_id = chain_positions.chain_id
   ), '[]') AS kept
   FROM chain_positions WHERE ${isNamed}`,
);

/** Reads the state of the reader. A new reader starts directly before the start block. */
export async function readState(
  database: Database,
  name: ChainIdentity,
  startBlock: number,
): Promise<StoredState> {
  const [found] = await database.query(systemScope, readPosition, nameValues(name));
  if (found) return found;
  await database.query(systemScope, insertPosition, [...nameValues(name), startBlock - 1]);
  const [made] = await database.query(systemScope, readPosition, nameValues(name));
  if (!made) throw new Error('The position of the chain reader was not inserted');
  return made;
}

const setAlarm = statement('chain.set-alarm', `UPDATE chain_positions SET alarm = $4 WHERE ${isNamed}`);

/** Stores the reason why the reader has stopped until an operator intervenes. */
export async function raiseAlarm(database: Database, name: ChainIdentity, alarm: string): Promise<void> {
  await database.query(systemScope, setAlarm, [...nameValues(name), alarm]);
}

const readReport = statement<{
  position: number;
  finalized: number;
  alarm: string | null;
  updatedAt: string;
}>(
  'chain.report',
  `SELECT block_number AS position, finalized_number AS finalized, alarm, updated_at AS "updatedAt"
   FROM chain_positions WHERE ${isNamed}`,
);

/** Reads the status of the reader for health checks. Returns null before its first step. */
export async function readReaderReport(database: Database, name: ChainIdentity) {
  const [report] = await database.queryShared(readReport, nameValues(name));
  return report ?? null;
}

// The condition on block_number lets only one of two concurrent readers commit.
const movePosition = statement<{ moved: boolean }>(
  'chain.move-position',
  `UPDATE chain_positions SET block_number = $5, finalized_number = greatest(finalized_number, $6)
   WHERE ${isNamed} AND block_number = $4 AND alarm IS NULL RETURNING true AS moved`,
);

/** Moves the position. Returns false if another reader has moved it meanwhile. */
export async function moveReader(
  tx: RunInTransaction,
  name: ChainIdentity,
  { from, to, finalized }: { readonly from: number; readonly to: number; readonly finalized: number },
): Promise<boolean> {
  const rows = await tx(movePosition, [...nameValues(name), from, to, finalized]);
  return rows.length > 0;
}

const insertBlock = statement(
  'chain.keep-block',
  'INSERT INTO chain_blocks (chain_id, number, hash, parent_hash) VALUES ($1, $2, $3, $4)',
);
const deleteBlocksAbove = statement(
  'chain.drop-blocks-above',
  'DELETE FROM chain_blocks WHERE chain_id = $1 AND number > $2',
);
const deleteBlocksBelow = statement(
  'chain.drop-blocks-below',
  'DELETE FROM chain_blocks WHERE chain_id = $1 AND number < $2',
);
const deleteChangesUpTo = statement(
  'chain.drop-changes',
  'DELETE FROM chain_changes WHERE chain_id = $1 AND block_number <= $2',
);

/** Queues a block at the new position for the commit. */
export function storeBlock(tx: RunInTransaction, chainId: number, block: LightBlock): void {
  tx.atCommit(insertBlock, [chainId, block.number, block.hash, block.parentHash]);
}

/** Deletes blocks below the final block and changes up to it, which are never undone. */
export function dropFinalizedBlocks(tx: RunInTransaction, chainId: number, finalized: number): void {
  tx.atCommit(deleteBlocksBelow, [chainId, finalized]);
  tx.atCommit(deleteChangesUpTo, [chainId, finalized]);
}

export function dropBlocksAbove(tx: RunInTransaction, chainId: number, number: number): void {
  tx.atCommit(deleteBlocksAbove, [chainId, number]);
}
