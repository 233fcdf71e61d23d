import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkContentDigest } from './content-digest.ts';

const body = Buffer.from('{}');
const digest = createHash('sha256').update(body).digest('base64');

describe('checkContentDigest', () => {
  it('accepts the digest of the body, beside others that it does not know', () => {
    expect(checkContentDigest(`sha-256=:${digest}:`, body)).toEqual({ ok: true });
    expect(checkContentDigest(`md5=:AA==:, sha-256=:${digest}:`, body)).toEqual({ ok: true });
  });

  it.each(['constructor', 'toString', '__proto__', 'valueof', 'md5'])(
    'refuses %s, which is not an algorithm',
    (name) => {
      expect(checkContentDigest(`${name}=:AA==:`, body)).toMatchObject({ ok: false });
    },
  );
});
