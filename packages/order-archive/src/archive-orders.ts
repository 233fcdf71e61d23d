import { type FileStore, FileStoreUnavailable } from '@keyfront/file-store';
import { hashLines, nameArchive, storeArchive } from './archive-file.ts';
import { type DraftSource, deleteDrafts } from './drafts.ts';

/** More in a row are no coincidence. */
const maxAttempts = 20;
/** Progress of a large month is reported each time that this many files have been written. */
const filesBetweenReports = 100;

/** The orders of a digital key that were placed in one month. */
export interface TokenMonth {
  readonly tokenId: number;
  /** Such as `2024-01`. */
  readonly month: string;
}

export interface OrderAtRest {
  readonly id: string;
  readonly createdAt: string;
  /** The order with everything that belongs to it, as JSON. */
  readonly line: string;
}

/** The database that the orders leave. */
export interface ArchiveSource extends DraftSource {
  /** Returns the name of the file that was recorded last. Null if there is none. */
  findLatestFile(): Promise<string | null>;
  /** Lists the months with orders that are delivered or cancelled, oldest first, and how many these are. */
  listMonths(): Promise<(TokenMonth & { readonly orders: number })[]>;
  /** Lists at most 1,000 orders that are at rest, in the order of their creation, after one of them. */
  listAtRest(month: TokenMonth, after: OrderAtRest | null): Promise<OrderAtRest[]>;
  /**
   * Records a file and deletes its orders, in one transaction. Returns false, and does nothing, if one of the orders has changed
   * since, or if the draft is cancelled.
   */
  archive(batch: ArchivedBatch): Promise<boolean>;
}

export interface ArchivedBatch extends TokenMonth {
  readonly orderIds: readonly string[];
  readonly fileName: string;
  readonly checksum: string;
  readonly linesChecksum: string;
}

interface ArchiveOptions {
  readonly source: ArchiveSource;
  readonly store: FileStore;
  readonly isDryRun: boolean;
  readonly onProgress: (message: string) => void;
  /** Aborted between two files. */
  readonly signal: AbortSignal;
}

/**
 * Archives the orders that are at rest, month by month. It may end at any time, and begin again: an order is deleted in the transaction that
 * records its file, and a file without a record is deleted by the next run.
 */
export async function archiveOrders(options: ArchiveOptions): Promise<void> {
  const { source, store, isDryRun, onProgress } = options;
  await verifyStore(source, store);
  if (!isDryRun) await deleteDrafts(source, store);
  const found = await source.listMonths();
  if (found.length === 0) onProgress('There is nothing to archive');
  for (const month of new Set(found.map((each) => each.month))) {
    const tokens = found.filter((each) => each.month === month);
    const candidates = tokens.reduce((sum, token) => sum + token.orders, 0);
    if (isDryRun) {
      const keys = count(tokens.length, 'digital key');
      onProgress(`${month}: would archive up to ${count(candidates, 'order')} of ${keys}`);
      continue;
    }
    const done = { orders: 0, files: 0 };
    const report = (rest: string) =>
      onProgress(`${month}: ${count(done.orders, 'order')} archived to ${count(done.files, 'file')}${rest}`);
    try {
      for (const token of tokens) {
        await archiveMonth(options, token, (orders) => {
          done.orders += orders;
          done.files += 1;
          if (done.files % filesBetweenReports === 0) report(' so far');
        });
      }
    } catch (error) {
      report(' before the command ended');
      throw error;
    }
    const kept = candidates - done.orders;
    report(kept > 0 ? `, ${kept.toLocaleString('en')} not at rest` : '');
  }
}

/** Throws if the store does not have the files that were archived before: its disk is not mounted, or its folder is misspelt. */
async function verifyStore(source: ArchiveSource, store: FileStore): Promise<void> {
  const fileName = await source.findLatestFile();
  if (fileName === null || (await store.find(fileName)) !== null) return;
  // An erasure may have replaced it meanwhile.
  if ((await source.findLatestFile()) !== fileName) return verifyStore(source, store);
  throw new FileStoreUnavailable(`The file ${fileName} of archived orders is missing`);
}

async function archiveMonth(
  { source, store, signal }: ArchiveOptions,
  month: TokenMonth,
  onFile: (orders: number) => void,
): Promise<void> {
  let after: OrderAtRest | null = null;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const orders: OrderAtRest[] = await source.listAtRest(month, after);
    const last = orders.at(-1);
    if (!last) return;
    // If one of the orders has changed, all are read again. That one is no longer at rest.
    if (!(await archiveBatch(source, store, month, orders))) {
      if (attempt === maxAttempts) throw new Error(`Orders of ${month.month} cannot be archived: try again`);
      continue;
    }
    attempt = 0;
    onFile(orders.length);
    after = last;
  }
}

async function archiveBatch(
  source: ArchiveSource,
  store: FileStore,
  { tokenId, month }: TokenMonth,
  orders: readonly OrderAtRest[],
): Promise<boolean> {
  const fileName = nameArchive(tokenId, month);
  await source.addDraft(tokenId, fileName);
  const lines = orders.map(({ line }) => line);
  const checksum = await storeArchive(store, fileName, lines);
  const orderIds = orders.map(({ id }) => id);
  const isArchived =
    checksum !== null &&
    (await source.archive({
      ...{ tokenId, month, orderIds, fileName, checksum },
      linesChecksum: hashLines(lines),
    }));
  if (!isArchived) {
    await store.remove(fileName);
    await source.deleteDraft(tokenId, fileName);
  }
  return isArchived;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
