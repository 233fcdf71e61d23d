import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createFolderStore, type FileStore } from '@keyfront/file-store';
import { archiveOrders } from '@keyfront/order-archive';
import { inject } from 'vitest';
import { findWrongCounters } from '../../faults/src/load/find-wrong-counters.ts';
import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import { createArchiveSource } from '../../packages/server/src/resources/orders/archive/archive-queries.ts';
import { openCallers, type Storefront, startStorefrontService, type TestCaller } from './storefront.ts';

type Source = ReturnType<typeof createArchiveSource>;

export interface ArchiveRun {
  /** Orders that were placed before this month. */
  readonly before?: string;
  /** Changes what the run uses, for example to let it fail. */
  readonly change?: (used: { source: Source; store: FileStore }) => { source: Source; store: FileStore };
  readonly signal?: AbortSignal;
  readonly isDryRun?: boolean;
  /** Receives what is reported, also of a run that fails. */
  readonly lines?: string[];
}

/** Callers on a service of their own, whose orders can be archived. */
export async function openArchiving(
  archiveStore: FileStore = createFolderStore(join(inject('runFolder'), `archives-${randomUUID()}`)),
) {
  const started = await startStorefrontService((url) => new ChangeFeed({ url }), { archiveStore });
  const storefront = await openCallers(started);
  return { ...storefront, ...archiveOf(storefront, archiveStore) };
}

/** What archives the orders of a service, and shows what became of them. */
export function archiveOf({ service, sql }: Pick<Storefront, 'service' | 'sql'>, archiveStore: FileStore) {
  /** Archives, and returns what was reported. */
  const archive = async (run: ArchiveRun = {}): Promise<string[]> => {
    const { before = '2025-01', change, lines = [], ...options } = run;
    const unchangedSince = new Date(Date.now() - 30 * 24 * 3_600_000);
    const source = createArchiveSource(service.database, new Date(`${before}-01T00:00:00Z`), unchangedSince);
    const used = { source, store: archiveStore };
    await archiveOrders({
      ...{ isDryRun: false, signal: new AbortController().signal },
      ...options,
      ...(change?.(used) ?? used),
      onProgress: (line) => lines.push(line),
    });
    return lines;
  };

  const listRecords = () =>
    sql<{ tokenId: number; month: string; fileName: string; orders: number }>(
      `SELECT token_id::int AS "tokenId", month::text, file_name AS "fileName", orders FROM order_archives ORDER BY id`,
    );

  return {
    archiveStore,
    archive,
    listRecords,
    /** The content of all files, or of those of one digital key. */
    readArchivedText: async (ofToken?: number) => {
      const records = (await listRecords()).filter(({ tokenId }) => tokenId === (ofToken ?? tokenId));
      const files = await Promise.all(records.map(({ fileName }) => archiveStore.find(fileName)));
      return files.map((file) => gunzipSync(file ?? '').toString()).join('');
    },
    /** Makes orders, and what belongs to them, as old as if they had been placed and last changed then. */
    makeOld: async (orderIds: readonly string[], createdAt: string) => {
      const ids = orderIds.map((id) => `'${id}'`).join();
      const touched = ['orders', 'sales', 'shipments', 'payment_checkouts'];
      const toggle = (verb: string) =>
        touched.map((table) => `ALTER TABLE ${table} ${verb} TRIGGER touch;`).join('');
      const times = `created_at = '${createdAt}', updated_at = '${createdAt}'`;
      await sql(`${toggle('DISABLE')} UPDATE orders SET ${times} WHERE id IN (${ids});
        ${touched
          .slice(1)
          .map((table) => `UPDATE ${table} SET ${times} WHERE order_id IN (${ids});`)
          .join('')}
        ${toggle('ENABLE')}`);
    },
    findWrongCounters: () => findWrongCounters((text, values) => sql(text, values)),
  };
}

/** The names of all files below a folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const noFilters = {
  orderBy: 'desc',
  startDate: '',
  endDate: '',
  search: '',
  searchBy: '',
  status: '',
  paymentStatus: '',
  adminApproval: '',
};

/** Asks for the export as CSV. */
export const askForCsv = (caller: TestCaller, query: Partial<typeof noFilters> = {}) =>
  caller.ask('GET', `/orders/export?${new URLSearchParams({ ...noFilters, ...query })}`, {
    headers: { accept: 'text/csv' },
  });

/** The file of an export; an error fails the test. */
export async function exportCsv(caller: TestCaller, query?: Partial<typeof noFilters>): Promise<string> {
  const { status, text } = await askForCsv(caller, query);
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return text;
}
