import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPublicKey } from '@keyfront/demo';
import { compileValidator } from '@keyfront/validation';
import { type Static, Type } from 'typebox';
import { writeSecretFile } from '../../lib/secret-file.ts';

const fileName = 'demo.json';

const walletFields = {
  walletAddress: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  walletPrivateKey: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
};

const DemoFileHolder = Type.Object({
  name: Type.String(),
  ...walletFields,
  tokenIds: Type.Array(Type.Integer()),
  primaryTokenId: Type.Integer(),
  apiKey: Type.String(),
  secretKey: Type.String(),
  clientIds: Type.Object({
    ready: Type.String(),
    pending: Type.String(),
    rejected: Type.String(),
    emptyCart: Type.String(),
  }),
});

const DemoFile = Type.Object({
  baseUrl: Type.String(),
  /** As the start prints it, with the token that opens the wallets. Null if the console is not served. */
  consoleUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  holders: Type.Tuple([DemoFileHolder, DemoFileHolder]),
  admin: Type.Object(walletFields),
});
/** The demo holders and administrator with their secrets, and clients to order for. */
export type DemoFile = Static<typeof DemoFile>;

const listIssues = compileValidator(DemoFile);

function isDemoFile(value: unknown): value is DemoFile {
  return listIssues(value).length === 0;
}

/** Reads the demo file. Returns null if it is missing or invalid. */
export async function readDemoFile(folder: string): Promise<DemoFile | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, fileName), 'utf8'));
    if (!isDemoFile(value)) return null;
    for (const { apiKey } of value.holders) readPublicKey(apiKey);
    return value;
  } catch {
    return null;
  }
}

/** Writes the demo file durably: it survives a power failure after this. */
export async function writeDemoFile(folder: string, file: DemoFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeSecretFile(join(folder, fileName), `${JSON.stringify(file, null, 2)}\n`);
  // Sync the folder too, because it stores the name of the file.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
