import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  decodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  isHex,
  parseErc6492Signature,
  recoverAddress,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chain } from './smart-wallet.ts';
import { findSignatureFault } from './wallet-signature.ts';

const mismatch = 'the signature does not match the address of the message';
const unverified = 'the signature could not be verified on the chain: try again later';
const message = 'anything that a wallet signs';
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
/** The address of a contract that stands by what its owner signs. */
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

type Answer = (response: ServerResponse, method: string, params: unknown[]) => unknown;

/** Stands for an Ethereum node, which is not ours: a node in good order, until a test says otherwise. */
let answer: Answer;
let server: Server;
let chain: Chain;
let failures: unknown[];
let calls: { method: string; headers: IncomingMessage['headers'] }[];

beforeEach(async () => {
  failures = [];
  calls = [];
  answer = answerAsNode;
  server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    calls.push({ method, headers: request.headers });
    const result = await answer(response, method, params);
    if (result !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id, ...Object(result) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  chain = { rpcUrl: url(), chainId: 1, timeoutMs: 500, onFailure: (error) => failures.push(error) };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function url(credentials = ''): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in does not listen');
  return `http://${credentials}127.0.0.1:${address.port}/key`;
}

const answerAsNode: Answer = async (_response, method, params) => {
  if (method === 'eth_chainId') return { result: '0x1' };
  expect(method).toBe('eth_call');
  return { result: (await isValid(params)) ? '0x01' : '0x00' };
};

/** What the universal validator finds out on the chain. */
async function isValid([call, block]: unknown[]): Promise<boolean> {
  expect(block).toBe('latest');
  const { data, ...rest } = Object(call);
  // No `to`: the validator is not deployed, the call is its constructor.
  expect(rest).toEqual({});
  expect(data.startsWith(erc6492SignatureValidatorByteCode)).toBe(true);
  const input = `0x${data.slice(erc6492SignatureValidatorByteCode.length)}`;
  if (!isHex(input)) throw new Error('The call has no data');
  const [signer, hash, wrapped] = decodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
    input,
  );
  const { signature } = parseErc6492Signature(wrapped);
  const recovered = await recoverAddress({ hash, signature }).catch(() => null);
  return signer === contract && hash === hashMessage(message) && recovered === owner.address;
}

const check = (signature: string, address: string = contract, asked: Chain | null = chain) =>
  findSignatureFault({ hash: hashMessage(message), signature, address }, asked);

const wrap = (signature: Hex) =>
  serializeErc6492Signature({ address: stranger.address, data: '0x1234', signature });

describe('the signature of a smart wallet', () => {
  it('is accepted if the contract confirms it (ERC-1271)', async () => {
    expect(await check(await owner.signMessage({ message }))).toBeNull();
    expect(failures).toEqual([]);
  });

  it('is accepted with what would deploy the contract (ERC-6492)', async () => {
    expect(await check(wrap(await owner.signMessage({ message })))).toBeNull();
  });

  it('is rejected if the contract does not confirm it', async () => {
    expect(await check(await stranger.signMessage({ message }))).toBe(mismatch);
    expect(await check(wrap(await stranger.signMessage({ message })))).toBe(mismatch);
    expect(await check(await owner.signMessage({ message: 'another' }))).toBe(mismatch);
    expect(await check('0x')).toBe(mismatch);
    expect(failures).toEqual([]);
  });

  it('is rejected without a chain to ask', async () => {
    const signature = await owner.signMessage({ message });
    expect(await check(signature, contract, null)).toBe(mismatch);
    expect(await check(wrap(signature), contract, null)).toBe(
      'the signature must have 65 bytes: those of smart wallets are not accepted here',
    );
    expect(calls).toEqual([]);
  });

  it('takes the name and password of the node from its address', async () => {
    chain = { ...chain, rpcUrl: url('ada:p%40ss@') };
    expect(await check(await owner.signMessage({ message }))).toBeNull();
    expect(calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
  });

  it('is rejected where the node is of another chain', async () => {
    chain = { ...chain, chainId: 10 };
    expect(await check(await owner.signMessage({ message }))).toBe(unverified);
    expect(String(failures)).toContain('another chain');
  });

  it('of the zero address is never put to the chain', async () => {
    answer = () => ({ result: '0x01' });
    expect(await check(`0x${'00'.repeat(65)}`, `0x${'0'.repeat(40)}`)).toBe(mismatch);
    expect(calls).toEqual([]);
  });

  const whenCalled =
    (other: Answer): Answer =>
    (response, method, params) =>
      method === 'eth_call' ? other(response, method, params) : answerAsNode(response, method, params);

  it.each<[string, unknown]>([
    ['nothing', '0x'],
    ['zero', `0x${'0'.repeat(64)}`],
    ['two', '0x02'],
    ['the magic value, which is the contract’s and not the validator’s', `0x1626ba7e${'0'.repeat(56)}`],
    ['more than one word', `0x${'0'.repeat(127)}1`],
    ['a number', 1],
    ['true', true],
    ['null', null],
    ['an object', { valid: true }],
  ])('is rejected where the node answers %s', async (_name, result) => {
    answer = whenCalled(() => ({ result }));
    expect(await check(await owner.signMessage({ message }))).toBe(mismatch);
  });

  it('is rejected where the call reverts', async () => {
    answer = whenCalled(() => ({ error: { code: 3, message: 'execution reverted', data: '0x' } }));
    expect(await check(await owner.signMessage({ message }))).toBe(mismatch);
    expect(failures).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['gives an error', () => ({ error: { code: -32005, message: 'limit exceeded' } })],
    ['gives a result and an error', () => ({ result: '0x01', error: { code: -32000, message: 'no' } })],
    ['gives neither', () => ({})],
    [
      'gives HTML',
      (response) => void response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
    ],
    ['gives nothing', (response) => void response.end()],
    ['gives a list', (response) => void response.end('[{"result":"0x01"}]')],
    ['gives a bare word', (response) => void response.end('"0x01"')],
    ['fails, with a result', (response) => void response.writeHead(500).end('{"result":"0x01"}')],
    ['hangs up', (response) => void response.destroy()],
    ['hangs up half-way', (response) => void response.write('{"result":"0x', () => response.destroy())],
    ['says nothing', () => undefined],
    ['begins and never ends', (response) => void response.write('{"result":"0x01"')],
    ['gives 10 MB', (response) => void response.end(`{"result":"0x01","more":"${'x'.repeat(10_000_000)}"}`)],
    [
      'sends to another address',
      (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])('is rejected, and the operator told, where the node %s', async (_name, other) => {
    answer = whenCalled(other);
    expect(await check(await owner.signMessage({ message }))).toBe(unverified);
    expect(failures).toHaveLength(1);
    // The address of a node often carries the key of its account.
    expect(String(failures)).not.toContain('/key');
  });

  it('is rejected within the timeout if the node sends slowly', async () => {
    const drips: NodeJS.Timeout[] = [];
    answer = whenCalled((response) => {
      drips.push(setInterval(() => response.write(' '), 20));
      return undefined;
    });
    expect(await check(await owner.signMessage({ message }))).toBe(unverified);
    for (const drip of drips) clearInterval(drip);
  });

  it('is rejected where nothing listens', async () => {
    chain = { ...chain, rpcUrl: 'http://127.0.0.1:1/' };
    expect(await check(await owner.signMessage({ message }))).toBe(unverified);
  });
});

describe('the signature of an ordinary wallet', () => {
  it('asks nobody, and may have its recovery bit in either form', async () => {
    const signature = await owner.signMessage({ message });
    expect(await check(signature, owner.address)).toBeNull();
    const bit = Number(`0x${signature.slice(130)}`) - 27;
    expect(await check(`${signature.slice(0, 130)}0${bit}`, owner.address)).toBeNull();
    expect(await check(signature.toUpperCase().replace('X', 'x'), owner.address)).toBeNull();
    expect(calls).toEqual([]);
  });

  it('is rejected in its other form, with the high s, even if the chain would take it', async () => {
    answer = () => ({ result: '0x01' });
    const signature = await owner.signMessage({ message });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = signature.endsWith('1b') ? '1c' : '1b';
    expect(await check(signature.slice(0, 66) + s + v, owner.address)).toBe(
      'the signature must have the lower of its two possible s values',
    );
    expect(calls).toEqual([]);
  });

  it('is rejected in every other form', async () => {
    const signature = await owner.signMessage({ message });
    const base = signature.slice(0, 130);
    const notHex = 'the signature must be 0x and an even number of hexadecimal digits';
    const not65 = 'the signature must have 65 bytes: those of smart wallets are not accepted here';
    const zeros = '0'.repeat(64);
    for (const [given, reason] of [
      ['', notHex],
      ['x', notHex],
      [signature.slice(2), notHex],
      [`${signature} `, notHex],
      [`${signature}\n`, notHex],
      [signature.slice(0, -1), notHex],
      [`0X${signature.slice(2)}`, notHex],
      ['0x', not65],
      [`${signature}00`, not65],
      [base, not65],
      [`${base}1d`, mismatch],
      [`${base}02`, mismatch],
      [`${base}ff`, mismatch],
      [`0x${zeros}${zeros}1b`, mismatch],
      [`0x${'f'.repeat(128)}1b`, mismatch],
      [`0x${zeros}${signature.slice(66)}`, mismatch],
      [await stranger.signMessage({ message }), mismatch],
      [await owner.signMessage({ message: 'another' }), mismatch],
    ]) {
      expect([given, await check(String(given), owner.address, null)]).toEqual([given, reason]);
    }
  });
});
