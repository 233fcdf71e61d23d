import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseSignature } from './signature-value.ts';

const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const orderLessOne = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140';
const one = '1'.padStart(64, '0');
const zero = '0'.repeat(64);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const der = sign('sha256', Buffer.from('{}'), privateKey);
const pair = sign('sha256', Buffer.from('{}'), { key: privateKey, dsaEncoding: 'ieee-p1363' });

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** The parsed signature in hex. */
function read(text: string): string {
  const result = parseSignature(text);
  if (!result.ok) throw new Error(result.reason);
  return Buffer.from(result.signature).toString('hex');
}

function reasonOf(text: string): string {
  const result = parseSignature(text);
  if (result.ok) throw new Error('the signature was accepted');
  return result.reason;
}

describe('accepted forms', () => {
  it.each([
    ['64 bytes', pair.toString('base64')],
    ['base64url', pair.toString('base64url')],
    ['padded base64url', pair.toString('base64').replaceAll('+', '-').replaceAll('/', '_')],
    ['without padding', pair.toString('base64').replaceAll('=', '')],
    ['surrounding spaces', ` ${pair.toString('base64')}\t`],
    ['surrounding quotes', `"${pair.toString('base64')}"`],
  ])('%s', (_form, text) => {
    expect(read(text)).toBe(pair.toString('hex'));
  });

  it('reads DER of every length', () => {
    expect(read(fromHex('3006020101020102'))).toBe(`${one}${'2'.padStart(64, '0')}`);
    expect(read(fromHex(`3026022100${orderLessOne}020101`))).toBe(`${orderLessOne}${one}`);
    expect(read(fromHex('300802020080020200ff'))).toBe(`${'80'.padStart(64, '0')}${'ff'.padStart(64, '0')}`);
    expect(read(der.toString('base64'))).toHaveLength(128);
    expect(read(der.toString('base64url'))).toBe(read(der.toString('base64')));
  });

  it('accepts the highest s', () => {
    expect(read(fromHex(`${one}${orderLessOne}`))).toBe(`${one}${orderLessOne}`);
  });

  it('treats 64 bytes as DER only if all of them are strict DER', () => {
    const r = '11'.repeat(28);
    const s = '22'.repeat(30);
    const strict = `303e021c${r}021e${s}`;
    expect(Buffer.from(strict, 'hex')).toHaveLength(64);
    expect(read(fromHex(strict))).toBe(`${r.padStart(64, '0')}${s.padStart(64, '0')}`);
    const almost = `303e021c${r}021f${s}`;
    expect(read(fromHex(almost))).toBe(almost);
  });
});

describe('rejected values', () => {
  it.each([
    ['an empty text', '', /0 bytes/],
    ['a stray character', `${pair.toString('base64url').slice(0, -1)}*`, /not Base64/],
    ['a space inside', pair.toString('base64').replace(/^.{10}/, '$& '), /not Base64/],
    ['wrong padding', `${pair.toString('base64url')}=`, /not Base64/],
    ['bits beyond the last byte', `${Buffer.alloc(64, 1).toString('base64url').slice(0, -1)}R`, /not Base64/],
    ['a very long text', 'A'.repeat(1025), /too long/],
    ['an HMAC', createHmac('sha256', 'secret').update('{}').digest('base64'), /look like an HMAC/],
    ['an HMAC in hex', createHmac('sha256', 'secret').update('{}').digest('hex'), /look like an HMAC/],
    ['64 bytes in hex', pair.toString('hex'), /it is hex/],
    ['DER in hex', der.toString('hex'), /it is hex/],
    ['hex with 0x', `0x${pair.toString('hex')}`, /it is hex/],
    ['a recovery byte', Buffer.concat([pair, Buffer.from([27])]).toString('base64'), /recovery byte/],
    [
      'a recovery byte after an r that begins like DER',
      Buffer.concat([Buffer.from([0x30]), Buffer.alloc(63, 1), Buffer.from([27])]).toString('base64'),
      /recovery byte/,
    ],
    ['63 bytes', Buffer.alloc(63, 1).toString('base64'), /63 bytes of something else/],
    ['66 bytes', Buffer.alloc(66, 1).toString('base64'), /66 bytes of something else/],
    ['Base64 twice', Buffer.from(der.toString('base64')).toString('base64'), /encoded twice/],
    ['64 bytes in Base64 twice', Buffer.from(pair.toString('base64')).toString('base64'), /encoded twice/],
    [
      '64 bytes in Base64 twice, where the first Base64 begins like DER',
      Buffer.from(fromHex(`d1${'1'.repeat(126)}`)).toString('base64'),
      /encoded twice/,
    ],
    ['a PEM', Buffer.from('-----BEGIN PUBLIC KEY-----\n').toString('base64'), /PEM text/],
    ['bytes after the DER', Buffer.concat([der, Buffer.from([0])]).toString('base64'), /bytes follow/],
    ['bytes inside the DER', fromHex('3008020101020102' + '0500'), /bytes follow/],
    ['truncated DER', der.subarray(0, -3).toString('base64'), /damaged/],
    ['a long length', fromHex('308106020101020102'), /damaged/],
    ['an indefinite length', fromHex('30800201010201020000'), /damaged/],
    ['r longer than needed', fromHex('300702020001020102'), /longer than needed/],
    ['s longer than needed', fromHex('300702010102020002'), /longer than needed/],
    ['r negative', fromHex('3006020181020102'), /negative/],
    ['s negative', fromHex('3006020101020182'), /negative/],
    ['an empty number', fromHex('30050200020102'), /negative or longer/],
    ['another tag', fromHex('3006020101030102'), /damaged/],
    ['one number', fromHex('3003020101'), /damaged/],
    ['r zero', fromHex('3006020100020102'), /out of range/],
    ['s zero', fromHex('3006020101020100'), /out of range/],
    ['r as large as n', fromHex(`3026022100${order}020101`), /out of range/],
    ['s of 33 bytes', fromHex(`3026020101022101${zero}`), /out of range/],
    ['64 bytes, r zero', fromHex(`${zero}${one}`), /out of range/],
    ['64 bytes, s zero', fromHex(`${one}${zero}`), /out of range/],
    ['64 bytes, r as large as n', fromHex(`${order}${one}`), /out of range/],
    ['64 bytes, s as large as n', fromHex(`${one}${order}`), /out of range/],
    ['64 bytes, all ones', fromHex('ff'.repeat(64)), /out of range/],
  ])('%s', (_what, text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});
