import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NftSale } from '@keyfront/protocol';
import {
  decodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  type Hex,
  isHex,
  parseErc6492Signature,
  recoverAddress,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { signTypedData, typedDataOf } from '../../../../../test/support/nft-sales.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { runSql } from '../../../../../test/support/test-database.ts';

/** The address of a contract that stands by what its owner signs. */
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const scope = { ...anyHolder, walletAddress: contract.toLowerCase() };

let service: TestApp;
let node: Server;
/** What comes to pass while the chain is asked. */
let meanwhile: () => Promise<unknown>;
let tokenId = 1;

/** Stands for an Ethereum node, which is not ours. */
async function startNode(): Promise<string> {
  node = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    let result: string = '0x1';
    if (method === 'eth_call') {
      await meanwhile();
      result = (await isStoodBy(params[0].data)) ? '0x01' : '0x00';
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
}

/** What the universal validator of ERC-6492 finds out on the chain. */
async function isStoodBy(data: string): Promise<boolean> {
  const input: Hex = `0x${data.slice(erc6492SignatureValidatorByteCode.length)}`;
  const [signer, hash, wrapped] = decodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
    input,
  );
  const { signature } = parseErc6492Signature(wrapped);
  const recovered = await recoverAddress({ hash, signature }).catch(() => null);
  return signer === contract && recovered === owner.address;
}

const sql = <Row extends object>(statement: string, values: unknown[] = []) =>
  runSql<Row>(`${service.ownerUrl}&options=-c%20search_path%3Dkeyfront`, statement, values);

beforeAll(async () => {
  service = await startTestApp({
    guard: async () => ({ scope: { ...scope, tokenId }, credentialId: scope.walletAddress }),
    signIn: { domain: null, uri: null, chainId: 1, rpcUrl: await startNode(), adminWallets: [] },
  });
  await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
  await sql('INSERT INTO holders (id, wallet_address) VALUES ($1, $2), (uuid_v7(), $3)', [
    scope.holderId,
    scope.walletAddress,
    stranger.address.toLowerCase(),
  ]);
});
afterAll(async () => {
  await service.close();
  node.closeAllConnections();
  node.close();
});
beforeEach(() => {
  meanwhile = async () => undefined;
  tokenId++;
});

interface Envelope {
  readonly statusCode: number;
  readonly message: string;
  readonly data: NftSale;
}

async function ask(method: string, path: string, body: object): Promise<Envelope> {
  const response = await fetch(`${service.origin}/api/v1/marketplace/nfts/sale${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Envelope;
}

async function draft(): Promise<NftSale> {
  await sql('INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT $1, $2, id FROM planets', [
    tokenId,
    scope.holderId,
  ]);
  return (await ask('POST', '', { tokenId, price: '1.5' })).data;
}
const send = (sale: NftSale, signature: string) =>
  ask('PATCH', `/${sale.id}`, { tokenId: sale.tokenId, signature });
const sign = (sale: NftSale, account = owner) => signTypedData(account, typedDataOf(sale));
const list = async () => {
  const sale = await draft();
  return (await send(sale, await sign(sale))).data;
};
const typesOf = async (sale: NftSale) =>
  (
    await sql<{ type: string }>('SELECT type FROM transactions WHERE sale_id = $1 ORDER BY type', [sale.id])
  ).map(({ type }) => type);

describe('the sale of a smart wallet', () => {
  it('names the zero address where there is no contract of the marketplace', async () => {
    expect(typedDataOf(await draft()).domain.verifyingContract).toBe(`0x${'0'.repeat(40)}`);
  });

  it('is listed and cancelled by what its contract stands by (ERC-1271)', async () => {
    const listed = await list();
    expect(listed).toMatchObject({ state: 'LISTED', seller: contract });
    expect(await send(listed, await sign(listed))).toMatchObject({
      statusCode: 200,
      data: { state: 'CANCELLED' },
    });
    expect(await typesOf(listed)).toEqual(['LIST', 'LIST_CANCEL']);
  });

  it('is listed by a contract that is yet to be deployed (ERC-6492), whose signature is kept whole', async () => {
    const sale = await draft();
    const signature = await sign(sale);
    if (!isHex(signature)) throw new Error('A wallet signs in hex');
    const wrapped = serializeErc6492Signature({ address: stranger.address, data: '0x1234', signature });
    expect(await send(sale, wrapped)).toMatchObject({ statusCode: 200, data: { state: 'LISTED' } });
    const kept = await sql<{ kept: string }>(
      `SELECT '0x' || encode(listing_signature, 'hex') AS kept FROM nft_sales WHERE id = $1`,
      [sale.id],
    );
    expect(kept).toEqual([{ kept: wrapped }]);
  });

  it('is not moved by what its contract does not stand by', async () => {
    const sale = await draft();
    expect(await send(sale, await sign(sale, stranger))).toMatchObject({
      statusCode: 403,
      message: 'The signature does not match the address of the message',
    });
    expect(await typesOf(sale)).toEqual([]);
  });

  it('is not moved where the chain cannot be asked', async () => {
    const sale = await draft();
    meanwhile = async () => node.closeAllConnections();
    expect(await send(sale, await sign(sale))).toMatchObject({
      statusCode: 403,
      message: 'The signature could not be verified on the chain: try again later',
    });
    expect(await typesOf(sale)).toEqual([]);
  });
});

describe('what comes to pass while the chain is asked', () => {
  it('locks nothing: the sale can change meanwhile, and is answered by its new state', async () => {
    const sale = await list();
    meanwhile = () => sql(`UPDATE nft_sales SET state = 'SOLD' WHERE id = $1`, [sale.id]);
    expect(await send(sale, await sign(sale))).toMatchObject({
      statusCode: 403,
      message: 'The sale is SOLD',
    });
    expect(await typesOf(sale)).toEqual(['LIST']);
  });

  it('may end the time of the sale', async () => {
    const sale = await draft();
    meanwhile = () =>
      sql(`UPDATE nft_sales SET expires_at = now() - interval '1 second' WHERE id = $1`, [sale.id]);
    expect(await send(sale, await sign(sale))).toMatchObject({ message: 'The sale has expired' });
    expect(await typesOf(sale)).toEqual([]);
  });

  it('may take the digital key away', async () => {
    const sale = await draft();
    meanwhile = () =>
      sql(
        `UPDATE digital_keys SET holder_id = holders.id FROM holders
         WHERE token_id = $1 AND wallet_address = $2`,
        [sale.tokenId, stranger.address.toLowerCase()],
      );
    expect(await send(sale, await sign(sale))).toMatchObject({
      statusCode: 403,
      message: 'The digital key is no longer yours',
    });
    expect(await typesOf(sale)).toEqual([]);
  });

  it('may be the same listing, whose signature is then none of the cancellation', async () => {
    const sale = await draft();
    const signature = await sign(sale);
    let isFirst = true;
    meanwhile = async () => {
      if (!isFirst) return;
      isFirst = false;
      await send(sale, signature);
    };
    expect(await send(sale, signature)).toMatchObject({
      statusCode: 403,
      message: 'The signature does not match the address of the message',
    });
    expect(await typesOf(sale)).toEqual(['LIST']);
  });
});
