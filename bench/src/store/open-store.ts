import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import pg from 'pg';
import { migrate } from '../../../packages/server/dist/database/migrations/migrate.js';
import { readMigrations } from '../../../packages/server/dist/database/migrations/migrations.js';
import type { Sizes } from '../sizes.ts';
import { idOf } from './ids.ts';
import { seed, type tokens } from './seed.ts';
import { createSigner, type Signer } from './signer.ts';

/** The seeded database. */
export interface Store {
  readonly ownerUrl: string;
  readonly loginUrl: string;
  /** Where the database is, and what belongs to it. */
  readonly folder: string;
  /** Connected as the superuser. */
  readonly client: pg.Client;
  readonly close: () => Promise<void>;
}

/** Starts a PostgreSQL and seeds it, unless the folder is already seeded. */
export async function openStore(
  { data }: { readonly data: string | null },
  sizes: Sizes,
  onProgress: (message: string) => void,
): Promise<Store> {
  const folder = data
    ? join(resolve(data), `${sizes.orders}-orders${sizes.hasTenth ? '-and-a-tenth' : ''}`)
    : await mkdtemp(join(tmpdir(), 'keyfront-bench-'));
  const removeFolder = async () => {
    if (!data) await rm(folder, { recursive: true, force: true });
  };
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    database: 'keyfront',
    owner: { name: 'keyfront_owner', password: 'owner of the bench' },
    login: { name: 'keyfront_login', password: 'login of the bench' },
    maxConnections: 200,
  }).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  const client = new pg.Client({ connectionString: server.ownerUrl });
  const close = async () => {
    await client.end().catch(() => undefined);
    await server.stop();
    await removeFolder();
  };
  try {
    await migrate({ ...server, migrations: await readMigrations() });
    await client.connect();
    const mark = join(folder, 'seeded');
    if (!existsSync(mark)) {
      await seed(client, sizes, onProgress);
      await writeFile(mark, '');
    }
    return { ...server, folder, client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates an API key for the holder of a digital key. */
export async function addSigner(
  client: pg.Client,
  tokenId: (typeof tokens)[keyof typeof tokens],
): Promise<Signer> {
  const signer = createSigner();
  await client.query(
    `INSERT INTO keyfront.api_keys (holder_id, token_id, key_name, public_key) VALUES ($1, $2, 'bench', $3)`,
    [idOf('holder', 0, tokenId), tokenId, signer.publicKey],
  );
  return signer;
}
