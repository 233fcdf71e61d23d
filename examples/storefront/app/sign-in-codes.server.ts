import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { database } from './database.server.ts';
import { sessionSecret } from './settings.server.ts';

const validMs = 10 * 60_000;
const maxAttempts = 5;
const windowMs = 60 * 60_000;
const maxCodesPerWindow = 5;

interface CodeRow {
  readonly hash: string;
  readonly expires_at: number;
  readonly attempts_left: number;
  readonly sent_count: number;
  readonly window_began_at: number;
}

function findRow(email: string): CodeRow | undefined {
  return database.prepare('SELECT * FROM sign_in_codes WHERE email = ?').get(email) as CodeRow | undefined;
}

/** Makes a code for an e-mail address; an earlier one is no longer valid. Null: too many were asked for. */
export function createCode(email: string, now = Date.now()): string | null {
  database.prepare('DELETE FROM sign_in_codes WHERE window_began_at <= ?').run(now - windowMs);
  const earlier = findRow(email);
  const sentCount = (earlier?.sent_count ?? 0) + 1;
  if (sentCount > maxCodesPerWindow) return null;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  database
    .prepare('INSERT OR REPLACE INTO sign_in_codes VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      email,
      hashCode(email, code),
      now + validMs,
      maxAttempts,
      sentCount,
      earlier?.window_began_at ?? now,
    );
  return code;
}

/** Whether this is the code of the e-mail address. A code is accepted once, and may be guessed a few times only. */
export function acceptCode(email: string, code: string, now = Date.now()): boolean {
  const row = findRow(email);
  if (!row || row.expires_at <= now) return false;
  // Counted before it is compared, and by the database: attempts at the same time count too.
  const { changes } = database
    .prepare(
      'UPDATE sign_in_codes SET attempts_left = attempts_left - 1 WHERE email = ? AND attempts_left > 0',
    )
    .run(email);
  if (changes === 0) return false;
  if (!timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashCode(email, code)))) return false;
  database.prepare('UPDATE sign_in_codes SET attempts_left = 0 WHERE email = ?').run(email);
  return true;
}

/** With a key: there are only a million codes, so a hash without one could be guessed. */
function hashCode(email: string, code: string): string {
  return createHmac('sha256', sessionSecret).update(`${email}\n${code}`).digest('hex');
}

/** Forgets a customer who wants to be forgotten. */
export function forgetCodes(email: string): void {
  database.prepare('DELETE FROM sign_in_codes WHERE email = ?').run(email.toLowerCase());
}
