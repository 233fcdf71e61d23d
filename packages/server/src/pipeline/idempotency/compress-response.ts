import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The first byte of a compressed response. Responses are JSON, so one that is stored as it is begins with another byte. */
const compressedMark = 0x01;
/** Shorter responses would hardly become smaller. */
const minLength = 256;

/**
 * Compresses a response before it is encrypted, because PostgreSQL cannot compress what is encrypted. A small window and the
 * fastest level suit responses of a few kilobytes: larger ones cost more time than they save.
 */
export function compressResponse(body: Buffer): Buffer {
  if (body.length < minLength) return body;
  const compressed = deflateRawSync(body, { level: 1, windowBits: 12, memLevel: 5 });
  return Buffer.concat([Buffer.of(compressedMark), compressed]);
}

/** Restores a response. Responses that were stored before they were compressed are returned as they are. */
export function decompressResponse(stored: Buffer): Buffer {
  return stored[0] === compressedMark ? inflateRawSync(stored.subarray(1)) : stored;
}
