import { type FileStore, FileStoreUnavailable } from '@keyfront/file-store';
import { eraseArchives, type Place, readArchive } from '@keyfront/order-archive';
import type { Database } from '../../../database/database.ts';
import { createErasureSource, findArchive, type ListedArchive } from './archive-queries.ts';

/** An archived order, with the row that it had as JSON. */
export interface ArchivedOrder extends Place {
  readonly row: object;
}

/** Removes the personal data of a client from archived orders. */
export async function eraseArchivedOrders(
  database: Database,
  store: FileStore | null,
  tokenId: number,
  clientId: string,
): Promise<void> {
  const source = createErasureSource(database, tokenId, clientId);
  if (store) await eraseArchives(source, store);
  else if ((await source.listArchives()).length > 0) throw storeMissing();
}

/** Reads the orders of an archive. */
export async function readArchivedOrders(
  database: Database,
  store: FileStore | null,
  archive: ListedArchive,
): Promise<ArchivedOrder[]> {
  if (!store) throw storeMissing();
  const lines = await readArchive(store, archive);
  if (lines) return lines.map(readOrder);
  // An erasure has replaced the file since it was listed.
  const latest = await findArchive(database, archive);
  if (!latest || latest.fileName === archive.fileName)
    throw new Error(`The file ${archive.fileName} of archived orders is missing`);
  return readArchivedOrders(database, store, latest);
}

function readOrder(line: string): ArchivedOrder {
  const { shipping, note, metadata, ...row } = JSON.parse(line).order;
  return { at: Date.parse(row.created_at), id: row.id, row };
}

function storeMissing(): FileStoreUnavailable {
  return new FileStoreUnavailable('There are archived orders, but neither IMAGE_FOLDER nor S3_BUCKET is set');
}
