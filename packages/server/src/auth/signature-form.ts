import type { SignatureRejection } from '@keyfront/signatures';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './guard.ts';
import type { InvalidCredential } from './invalid-credential.ts';
import type { KeyPolicy } from './key-policy.ts';

/** The holder that an API key acts for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  readonly policy: KeyPolicy;
}

/** How the service finds and notes API keys. */
export interface KeyDirectory {
  /** By the SHA-256 of the key in hex, or by its id; null if the key is unknown or revoked. */
  readonly findKeyHolder: (name: string) => KeyHolder | null | Promise<KeyHolder | null>;
  /** The same if it is known without the database. */
  readonly findCachedKeyHolder: (name: string) => KeyHolder | undefined;
  /** The same from the database in any case. */
  readonly readKeyHolder: (name: string) => Promise<KeyHolder | null>;
  /** Whether the key was found before, as far as this process knows. */
  readonly isKnownKey: (name: string) => boolean;
  readonly recordKeyUse: (keyId: string) => void;
}

export type Authenticated = Promise<Caller | InvalidCredential>;

/** One of the forms in which a request is signed. */
export interface SignatureForm {
  /** Reads which key claims to have signed a request. Verifies only what the headers alone show. */
  readSigner(request: FastifyRequest): { readonly ok: true; readonly keyName: string } | SignatureRejection;
  /** Whether the signature of the request has been verified before, so that it costs nothing now. */
  isRecognized(request: FastifyRequest): boolean;
  /** Verifies the signature and finds the holder. `parsesBody`: whether it may parse a body whose bytes were not signed. */
  authenticate(request: FastifyRequest, options: { readonly parsesBody: boolean }): Authenticated;
}
