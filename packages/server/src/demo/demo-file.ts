import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { compileValidator } from '../pipeline/input/validator.ts';
import { writeSecretFile } from '../process/secret-file.ts';
import { readPublicKey } from './credentials.ts';

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
  holders: Type.Tuple([DemoFileHolder, DemoFileHolder]),
  admin: Type.Object(walletFields),
});
/** What somebody who tries the service needs: who they can be, with which secrets, and whom to order for. */
export type DemoFile = Static<typeof DemoFile>;

const listFaults = compileValidator(DemoFile);

function isDemoFile(value: unknown): value is DemoFile {
  return listFaults(value).length === 0;
}

/** The demo's file, or null when there is none that can be used. */
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

/** Writes the demo's file; when this is done, it survives a power cut. */
export async function writeDemoFile(folder: string, file: DemoFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeSecretFile(join(folder, fileName), `${JSON.stringify(file, null, 2)}\n`);
  // The file's new name is kept by the folder.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
