import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { type KeyName, revokeKeysAsOperator } from '../../resources/keys/key-queries.ts';
import { endSessionRows } from '../../resources/sessions/session-queries.ts';
import { openDatabase } from '../data-folder/open-database.ts';

interface RevocationOptions {
  readonly logger: Logger;
  readonly onProgress: (message: string) => void;
}

/** Reads what names a key on the command line. Returns null if it can be none of them. */
export function readKeyName(text: string): KeyName | null {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return { id: text };
  if (/^[0-9a-f]{64}$/i.test(text)) return { fingerprint: text.toLowerCase() };
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { wallet: text.toLowerCase() };
  return null;
}

/** Revokes a key, or all keys and sessions of a wallet. All processes of the service have noticed it when it returns. */
export async function revokeKey(
  config: Config,
  name: KeyName,
  { logger, onProgress }: RevocationOptions,
): Promise<void> {
  const opened = await openDatabase(config, logger, onProgress);
  const database = new Database({ url: opened.url, directUrl: opened.directUrl, poolSize: 1 });
  try {
    const ids = await revokeKeysAsOperator(database, name);
    for (const id of ids) onProgress(`Revoked the API key ${id}`);
    if (name.wallet !== undefined) {
      const count = await endSessionRows(database, { ...systemScope, walletAddress: name.wallet }, null);
      onProgress(`Ended ${count} sessions of ${name.wallet}`);
    } else if (ids.length === 0) throw new StartError('There is no such API key. Nothing was changed.');
  } finally {
    await database.close();
    await opened.close();
  }
}
