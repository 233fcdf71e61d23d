import { randomBytes } from 'node:crypto';
import type { TokenRole, Tokens } from '../../packages/server/src/auth/tokens.ts';

/** Runs a statement as the owner of the database. */
type RunSql = (text: string, values: unknown[]) => Promise<object[]>;

interface SessionOwner {
  readonly walletAddress: string;
  readonly role: TokenRole;
}

/** Begins a session of a wallet without its signature, and returns the token. */
export async function beginSession(
  sql: RunSql,
  tokens: Tokens,
  { walletAddress, role }: SessionOwner,
): Promise<string> {
  const session = {
    ...tokens.planSession(role),
    walletAddress: walletAddress.toLowerCase(),
    role,
  };
  // The database makes the id, which begins with the time: the order of sessions that begin within one second.
  const [row] = (await sql(
    `INSERT INTO keyfront.sessions
       (wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
     VALUES ($1, $2, 'shop.example', $3, $4, $4, $5) RETURNING id`,
    [session.walletAddress, role, randomBytes(32), session.createdAt, session.expiresAt],
  )) as [{ id: string }];
  return (await tokens.issue({ ...session, sessionId: row.id })).token;
}

/** The id of the session in a token. */
export function readSessionId(token: string): string {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti;
}
