import { type DemoCredentials, type DemoData, generateDemo, makeDemoCredentials } from '@keyfront/demo';
import type { Database } from '../../database/database.ts';
import { makeInvoiceNumber } from '../orders/checkout/invoice-number.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';
import { isHolder, writeDemo } from './demo-queries.ts';

const seed = 20;

/**
 * Inserts the demo into an empty database and describes it in `demo.json`. Returns null, and changes nothing, if the database
 * contains other holders.
 *
 * The file is written before the commit. After a crash in between, the next start finds no holders and reuses the credentials
 * of the file. A process that waits for the lock finds both the rows and the file.
 */
export async function seedDemo({
  database,
  folder,
  baseUrl,
  today,
}: {
  readonly database: Database;
  readonly folder: string;
  readonly baseUrl: string;
  readonly today: Date;
}): Promise<DemoFile | null> {
  await writeDemo(database, async () => {
    const data = generateDemo({ seed, today, makeInvoiceNumber });
    const credentials = (await readDemoFile(folder)) ?? (await makeDemoCredentials());
    await writeDemoFile(folder, describeDemo(baseUrl, data, credentials));
    return { data, credentials };
  });

  const file = await findDemo(database, folder);
  if (file === null || file.baseUrl === baseUrl) return file;
  const moved = { ...file, baseUrl };
  await writeDemoFile(folder, moved);
  return moved;
}

/** The demo that the database holds. Null if its holders are others than those of `demo.json`. */
export async function findDemo(database: Database, folder: string): Promise<DemoFile | null> {
  const file = await readDemoFile(folder);
  return file !== null && (await isHolder(database, file.holders[0].walletAddress)) ? file : null;
}

function describeDemo(baseUrl: string, data: DemoData, credentials: DemoCredentials): DemoFile {
  const toHolder = (index: 0 | 1): DemoFile['holders'][number] => {
    const holder = data.holders[index];
    if (!holder) throw new RangeError('The demo has two holders');
    const { walletAddress, walletPrivateKey, apiKey, secretKey } = credentials.holders[index];
    return {
      name: holder.name,
      walletAddress,
      walletPrivateKey,
      tokenIds: [...holder.tokenIds],
      primaryTokenId: holder.primaryTokenId,
      apiKey,
      secretKey,
      clientIds: { ...holder.clientIds },
    };
  };
  const { walletAddress, walletPrivateKey } = credentials.admin;
  return {
    baseUrl,
    holders: [toHolder(0), toHolder(1)],
    admin: { walletAddress, walletPrivateKey },
  };
}
