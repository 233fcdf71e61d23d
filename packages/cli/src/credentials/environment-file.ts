import { parseEnv } from 'node:util';

/** A key pair of an environment file, as the console saves it. */
interface EnvironmentPair {
  readonly secretKey: string;
  readonly apiKey?: string;
}

/** Reads the key pair of an environment file. Null if it is none, or has no secret key. */
export function readEnvironmentFile(content: string | Uint8Array): EnvironmentPair | null {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString();
  const { KEYFRONT_SECRET_KEY: secretKey, KEYFRONT_API_KEY: apiKey } = parseEnv(text);
  return secretKey ? { secretKey, ...(apiKey && { apiKey }) } : null;
}
