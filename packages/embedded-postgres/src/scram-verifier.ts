import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const defaultIterations = 4096;

/** Computes what PostgreSQL stores for a password, so that the password appears in no statement and in no log. */
export function scramVerifier(
  password: string,
  salt: Buffer = randomBytes(16),
  iterations: number = defaultIterations,
): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** Returns whether the verifier was computed from this password. */
export function matchesScramVerifier(password: string, verifier: string): boolean {
  const parts = /^SCRAM-SHA-256\$(\d+):([^$]+)\$/.exec(verifier);
  const iterations = Number(parts?.[1]);
  const salt = parts?.[2];
  if (salt === undefined || !Number.isSafeInteger(iterations)) {
    return false;
  }
  return scramVerifier(password, Buffer.from(salt, 'base64'), iterations) === verifier;
}
