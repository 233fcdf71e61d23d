import { decodeBase64 } from '@keyfront/signatures/base64';

const secretPrefix = 'whsec_';
const minSecretBytes = 24;
const maxSecretBytes = 64;

/** Reads a secret such as `whsec_…`. Returns null if it has another form. */
export function readWebhookSecret(text: string): Buffer | null {
  if (!text.startsWith(secretPrefix)) return null;
  const secret = decodeBase64(text.slice(secretPrefix.length));
  return secret && secret.length >= minSecretBytes && secret.length <= maxSecretBytes ? secret : null;
}
