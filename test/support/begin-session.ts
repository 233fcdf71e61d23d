import { randomBytes, randomUUID } from 'node:crypto';
import type { TokenRole, Tokens } from '../../packages/server/src/auth/tokens.ts';

/** Runs a statement as the owner of the database. */
type RunSql = (text: string, values: unknown[]) => Promise<unknown>;

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
    sessionId: randomUUID(),
  };
  await sql(
    `INSERT INTO keyfront.sessions
       (id, wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
     VALUES ($1, $2, $3, 'shop.example', $4, $5, $5, $6)`,
    [session.sessionId, session.walletAddress, role, randomBytes(32), session.createdAt, session.expiresAt],
  );
  return (await tokens.issue(session)).token;
}

/** The id of the session in a token. */
export function readSessionId(token: string): string {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti;
}
