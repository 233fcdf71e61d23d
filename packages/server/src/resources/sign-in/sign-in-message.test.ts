import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { needs } from '../../../../../test/support/requirements.ts';
import { findMessageFault } from './check-sign-in-message.ts';
import {
  findSignInType,
  type MessageToSign,
  parseMessage,
  type SignInMessage,
  writeMessage,
} from './sign-in-message.ts';

const toSign: MessageToSign = {
  domain: 'shop.example',
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  uri: 'https://shop.example/api/v1',
  chainId: 1,
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: '2026-11-15T09:30:00.000Z',
  expirationTime: '2026-11-15T09:35:00.000Z',
  type: 'dapp',
};

function read(text: string): SignInMessage {
  const message = parseMessage(text);
  if (typeof message === 'string') throw new Error(message);
  return message;
}

describe('a message', () => {
  it('is the text of ERC-4361', () => {
    expect(writeMessage(toSign)).toBe(`shop.example wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

Sign in to Keyfront. This sends no transaction and costs nothing.

URI: https://shop.example/api/v1
Version: 1
Chain ID: 1
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-11-15T09:30:00.000Z
Expiration Time: 2026-11-15T09:35:00.000Z
Resources:
- urn:keyfront:type:dapp`);
  });

  it.each([
    {},
    { domain: '127.0.0.1:3000', uri: 'http://127.0.0.1:3000/api/v1' },
    { domain: 'localhost:3000', uri: 'http://localhost:3000/api/v1' },
    { domain: '[::1]:3000', uri: 'http://[::1]:3000/api/v1' },
    { domain: 'intranet', uri: 'https://intranet' },
    { chainId: 11_155_111 },
    { type: 'A-b_9' },
    { type: 'x'.repeat(32) },
  ])('is read back by the strict parser as it was meant: %o', (change) => {
    const meant = { ...toSign, ...change };
    const message = read(writeMessage(meant));
    const { type, ...fields } = meant;
    expect(message).toMatchObject({
      ...fields,
      scheme: null,
      version: '1',
      notBefore: null,
      requestId: null,
    });
    expect(findSignInType(message)).toBe(type);
    expect(findMessageFault(message, meant, new Date(toSign.issuedAt))).toBeNull();
  });

  it('is rejected with a sentence that says where it goes wrong', () => {
    const text = writeMessage(toSign);
    const sentence = 'message must be an ERC-4361 message';
    expect(parseMessage('Hello')).toBe(sentence);
    expect(parseMessage('')).toBe(`${sentence} (line 1: domain cannot be empty)`);
    expect(parseMessage(`${text}\n`)).toBe(`${sentence} (line 14: invalid resource)`);
    expect(parseMessage(text.replaceAll('\n', '\r\n'))).toMatch(sentence);
    expect(parseMessage(text.replace('Nonce: ', 'Nonce: -'))).toBe(`${sentence} (line 9: invalid nonce)`);
    expect(parseMessage(text.replace('-15T', '-31T'))).toMatch(sentence);
    expect(parseMessage(text.replace(toSign.address, toSign.address.toLowerCase()))).toMatch(
      `${sentence} (line 2: invalid EIP-55 address`,
    );
  });

  it('means the usual type when it names none, and nothing when it names several', () => {
    const text = writeMessage(toSign);
    const message = (resources: string) => read(text.replace('\n- urn:keyfront:type:dapp', resources));
    expect(findSignInType(message(''))).toBe('dapp');
    expect(findSignInType(message('\n- https://shop.example/terms'))).toBe('dapp');
    expect(findSignInType(message('\n- https://shop.example/terms\n- urn:keyfront:type:admin'))).toBe(
      'admin',
    );
    expect(findSignInType(message('\n- urn:keyfront:type:dapp\n- urn:keyfront:type:admin'))).toBeNull();
    expect(findSignInType(message('\n- urn:keyfront:type:'))).toBe('');
  });
});

describe('what is wrong with a message', () => {
  const text = writeMessage(toSign);
  const at = new Date('2026-11-15T09:31:00.000Z');
  const faultOf = (changed: string, now = at) => findMessageFault(read(changed), toSign, now);

  it('is nothing when it is as it was asked for, with the scheme before its domain or without', () => {
    expect(faultOf(text)).toBeNull();
    expect(faultOf(`https://${text}`)).toBeNull();
    expect(faultOf(text.replace(/\nExpiration.*/, ''))).toBeNull();
  });

  it('is named, with what it should be', () => {
    expect(faultOf(text.replace('shop.example', 'evil.example'))).toBe(
      'the domain of the message must be shop.example',
    );
    expect(faultOf(text.replace('shop.example', 'shop.example:443'))).toMatch(/domain/);
    expect(faultOf(text.replace('shop.example', 'a@shop.example'))).toMatch(/domain/);
    expect(faultOf(`http://${text}`)).toBe('the scheme before the domain of the message must be https');
    expect(faultOf(text.replace('/api/v1', '/api/v2'))).toBe(
      'the URI of the message must be https://shop.example/api/v1',
    );
    expect(faultOf(text.replace('Chain ID: 1', 'Chain ID: 10'))).toBe(
      'the chain id of the message must be 1',
    );
  });

  it('is its time, before the first moment and from the last on', () => {
    const end = new Date(toSign.expirationTime);
    expect(faultOf(text, new Date(end.getTime() - 1))).toBeNull();
    expect(faultOf(text, end)).toBe(
      'the message has expired at 2026-11-15T09:35:00.000Z, and the time of the service is 2026-11-15T09:35:00.000Z: ask for a new ' +
        'nonce, or correct the clock that the message is from',
    );
    const later = text.replace('\nResources', '\nNot Before: 2026-11-15T09:31:00.001Z\nResources');
    expect(faultOf(later)).toMatch(
      /^the message is not valid before 2026-11-15T09:31:00\.001Z, and the time of the/,
    );
    expect(faultOf(later, new Date('2026-11-15T09:31:00.001Z'))).toBeNull();
  });

  it('is that it was issued in the future, further than clocks differ', () => {
    const issued = (moment: string) =>
      text.replace(/(Issued At: ).*/, `$1${moment}`).replace(/\nExpiration.*/, '');
    expect(faultOf(issued('2026-11-15T09:36:00.000Z'))).toBeNull();
    expect(faultOf(issued('2026-11-15T09:36:00.001Z'))).toBe(
      'the message was issued in the future, at 2026-11-15T09:36:00.001Z, and the time of the service is 2026-11-15T09:31:00.000Z: ' +
        'correct the clock that the message is from',
    );
    expect(faultOf(issued('2999-01-01T00:00:00Z'))).toMatch(/issued in the future/);
    expect(faultOf(issued('2020-12-31T23:59:60Z'))).toMatch(/issued in the future/);
  });

  it('is a time that no clock shows', () => {
    expect(faultOf(text.replace('09:35:00', '09:59:60'))).toMatch(/expired/);
    expect(faultOf(text.replace('\nResources', '\nNot Before: 2020-12-31T23:59:60Z\nResources'))).toMatch(
      /not valid before/,
    );
  });
});

// Beside the repository, where it is there; the vectors are not a part of it.
const folder = fileURLToPath(new URL('../../../../../../shared/vectors/siwe/', import.meta.url));

function readVectors<Vector>(name: string): [string, Vector][] {
  return Object.entries(JSON.parse(readFileSync(`${folder}${name}`, 'utf8')));
}

describe('ERC-4361 vectors', needs('test vectors'), () => {
  it('reads all 19 that are valid, every field as it is meant', () => {
    const vectors = readVectors<{ message: string; fields: object }>('parsing_positive.json');
    expect(vectors).toHaveLength(19);
    for (const [name, { message, fields }] of vectors) {
      expect([name, parseMessage(message)]).toEqual([name, expect.objectContaining(fields)]);
    }
  });

  it('rejects all 29 that are not', () => {
    const vectors = readVectors<string>('parsing_negative.json');
    expect(vectors).toHaveLength(29);
    for (const [name, message] of vectors) {
      expect([name, parseMessage(message)]).toEqual([name, expect.stringMatching(/^message must be/)]);
    }
  });
});
