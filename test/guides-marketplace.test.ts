import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digitalKeyAbi, marketplaceAbi } from '@keyfront/contracts';
import { type NftSale, operationList } from '@keyfront/protocol';
import { type Abi, getContractAddress, parseAbi } from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildSaleTypedData } from '../packages/server/src/resources/nft-sales/typed-data.ts';
import {
  readCode,
  readDocument,
  readMarketPrograms,
  readMoves,
  readPrograms,
  readTables,
  runProgram,
} from './support/guide-programs.ts';
import { draftSale, handIn, listSale, signTypedData, typedDataOf } from './support/nft-sales.ts';
import { openStorefront, type Reply, type TestCaller, type TestHolder } from './support/storefront.ts';
import { startTestApp } from './support/test-app.ts';
import { runSql } from './support/test-database.ts';

const guide = readDocument('docs/guides/marketplace.md');
const programs = readMarketPrograms(guide);
const [serviceRefusals = [], contractRefusals = []] = readTables(guide, 'Errors');

const storefront = await openStorefront();
const { holder, sibling, stranger, admin, sql } = storefront;

/** For the files of one test. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const errorsIn = (abi: Abi) => abi.flatMap((item) => (item.type === 'error' ? [item.name] : []));
/** Those of the marketplace itself, without what it takes over from OpenZeppelin. */
const marketplaceErrors = errorsIn(marketplaceAbi).filter(
  (name) => !['ReentrancyGuardReentrantCall', 'InvalidShortString', 'StringTooLong'].includes(name),
);

describe('the programs of the marketplace guide', () => {
  it.each(Object.entries(programs))(
    'can be parsed, and are saved under the names in the text: %s',
    async (name, text) => {
      expect(guide).toContain(`\`${name}\``);
      await writeFile(join(folder, name), text);
      expect(await runProgram(process.execPath, ['--check', name], folder, {})).toMatchObject({ code: 0 });
    },
  );

  it('stay short', () => {
    for (const name of ['list.mjs', 'cancel.mjs', 'browse.mjs', 'buy.mjs'] as const) {
      expect(programs[name].split('\n').length, name).toBeLessThanOrEqual(32);
    }
  });

  it('declare the functions and errors of the contracts', () => {
    const signatures = [...programs['abi.mjs'].matchAll(/^ {2}'(.+)',$/gm)].map(([, text = '']) => text);
    const items = parseAbi(signatures);
    // Of the struct there is no item of its own.
    expect(items).toHaveLength(signatures.length - 1);
    for (const item of items) expect([...marketplaceAbi, ...digitalKeyAbi]).toContainEqual(item);
    // `cancel`, which alone says this, is not called.
    expect(new Set([...errorsIn(items), 'CallerIsNotOwner'])).toEqual(new Set(marketplaceErrors));
  });

  it('use the addresses of the contracts of `npm run chain`', () => {
    // The first that anvil's own account deploys on an empty chain, one after the other.
    const { address: from } = mnemonicToAccount(
      'test test test test test test test test test test test junk',
    );
    for (const [nonce, name] of [
      [0n, 'TOKEN_CONTRACT'],
      [1n, 'MARKETPLACE_CONTRACT'],
    ] as const) {
      const named = [...guide.matchAll(new RegExp(`${name}=(0x\\w+)`, 'g'))].map(([, address]) => address);
      const address = getContractAddress({ from, nonce });
      expect(named).toEqual([address, address]);
    }
  });

  it('call existing operations, and so does the text', () => {
    const operations = operationList.map(({ method, path }) => `${method} ${path}`);
    const [, salePath = ''] = /^const path = `(.+)`;$/m.exec(programs['cancel.mjs']) ?? [];
    const call = /(?:request\(|call\(null, )'([A-Z]+)', (?:['`]([^'`]+)['`]|path\b)/g;
    const inPrograms = [...Object.values(programs).join('\n').matchAll(call)].map(
      ([, method, path = salePath]) => `${method} ${path.replace(/\?.*/, '').replace(/\$\{.+\}/, '{id}')}`,
    );
    const inText = [...guide.matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`]+)`/g)].map(
      ([, named = '']) => named,
    );
    expect([inPrograms.length, inText.length > 3]).toEqual([10, true]);
    for (const each of [...inPrograms, ...inText]) expect(operations).toContain(each.replace(/\?.*/, ''));
  });
});

describe('the typed data in the marketplace guide', () => {
  it('is the typed data of the service', () => {
    const terms = {
      id: '019a8f3e-7c00-7000-8000-000000000601',
      tokenId: 1001,
      seller: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f',
      nonce: 1,
      price: '1.5',
      expiresAt: '2026-12-15T09:30:00.000Z',
    };
    const marketplace = { chainId: 1, contract: '0x52908400098527886e0f7030069857d2e4169ee7' };
    const [example] = readPrograms(guide, 'What the owner signs', 'json');
    expect(JSON.parse(example)).toEqual(buildSaleTypedData('Listing', terms, marketplace));
  });

  it('has the types of the contract', () => {
    const [rows = []] = readTables(guide, 'What the owner signs');
    const types = rows.flatMap(([, type = '']) => readCode(type));
    expect(types).toHaveLength(2);
    const contract = readDocument('packages/contracts/contracts/Marketplace.sol');
    for (const type of types) expect(contract).toContain(`keccak256("${type}")`);
  });

  it('is valid for 30 days', async () => {
    const { createdAt, expiresAt } = await draftSale(holder, sql);
    const days = (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
    expect(Math.round(days * 1000) / 1000).toBe(30);
    expect(guide).toContain('A sale is open for 30 days');
  });

  it('is null after a sale has expired, and the next sale cancels that one', async () => {
    const { id, tokenId } = await listSale(holder, sql);
    await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    const read = async () =>
      (await holder.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope.data as NftSale;
    expect(await read()).toMatchObject({ state: 'LISTED', typedData: null });
    const next = await holder.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });
    expect(next.status).toBe(201);
    expect((await read()).state).toBe('CANCELLED');
  });
});

describe('the errors in the marketplace guide', () => {
  const draft = (tokenId: number, caller: TestCaller = holder, price = '1') =>
    caller.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price } });
  const send = (sale: Pick<NftSale, 'id' | 'tokenId'>, signature: string, caller: TestCaller = holder) =>
    caller.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, { body: { tokenId: sale.tokenId, signature } });
  const signed = (sale: NftSale, by: TestHolder = holder) => signTypedData(by.account, typedDataOf(sale));
  const change = (sale: NftSale, set: string) => sql(`UPDATE nft_sales SET ${set} WHERE id = $1`, [sale.id]);
  const nothing = `0x${'00'.repeat(65)}`;

  /** Each sentence with a request to which it applies, and to which a later one would apply too where that can be. */
  const refusals: Readonly<Record<string, () => Promise<Pick<Reply, 'envelope'>>>> = {
    'This is for holders of a digital key: sign in as one': () => draft(holder.tokenId, admin, '0'),
    'price must be greater than 0': () => draft(999_999_999, holder, '0.00'),
    'Digital key not found': () => draft(999_999_999),
    'The digital key belongs to another holder': async () => draft((await draftSale(stranger, sql)).tokenId),
    'Your credential is for the digital key 1: use an API key of 2, or sign in and make 2 your primary digital key':
      () => draft(sibling.tokenId),
    'The digital key has an open sale already': async () => draft((await draftSale(holder, sql)).tokenId),
    'Sale not found': () => send({ id: '019a8f3e-7c00-7000-8000-0000000000ff', tokenId: 1 }, nothing),
    'Sale belongs to another holder or digital key': async () =>
      send({ ...(await draftSale(stranger, sql)), tokenId: 0 }, nothing),
    'tokenId is not that of the sale': async () => {
      const sale = await draftSale(holder, sql);
      await change(sale, `state = 'SOLD'`);
      return send({ ...sale, tokenId: 0 }, nothing);
    },
    'The sale is listed: to cancel it, sign its typedData and send the signature with PATCH': async () =>
      holder.ask('DELETE', `/marketplace/nfts/sale/${(await listSale(holder, sql)).id}`),
    'The sale is SOLD': async () => {
      const sale = await draftSale(holder, sql);
      await change(sale, `state = 'SOLD', expires_at = now() - interval '1 day'`);
      return send(sale, nothing);
    },
    'The sale is CANCELLED': async () => {
      const sale = await listSale(holder, sql);
      const signature = await signed(sale);
      await handIn(holder, sale);
      return send(sale, signature);
    },
    'The sale has expired': async () => {
      const sale = await listSale(holder, sql);
      await change(sale, `expires_at = now() - interval '1 day'`);
      return send(sale, nothing);
    },
    'The digital key is no longer yours': () => askWithoutNode({ isMoved: true }),
    'The signature does not match the address of the message': async () => {
      const sale = await draftSale(holder, sql);
      return send(sale, await signed(sale, stranger));
    },
    'The signature must have the lower of its two possible s values': async () => {
      const sale = await draftSale(holder, sql);
      const signature = await signed(sale);
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
      return send(sale, signature.slice(0, 66) + s + (signature.endsWith('1b') ? '1c' : '1b'));
    },
    'The signature must have 65 bytes: those of smart wallets are not accepted here': async () =>
      send(await draftSale(holder, sql), `${nothing}00`),
    'The signature could not be verified on the chain: try again later': () =>
      askWithoutNode({ isMoved: false }),
  };

  it('name every error of the contract', () => {
    const names = contractRefusals.flatMap(([name = '']) => readCode(name));
    expect(new Set(names)).toEqual(new Set(marketplaceErrors));
  });

  it('are each tested here, in the order in which they are checked', () => {
    expect(serviceRefusals.flatMap(([sentence = '']) => readCode(sentence))).toEqual(Object.keys(refusals));
  });

  it.each(serviceRefusals)('have the message of the service: %s', async (cell = '', status = '') => {
    const [sentence = ''] = readCode(cell);
    const { message, data, statusCode } = (await refusals[sentence]?.())?.envelope ?? {};
    const said = Array.isArray(data) ? data : [message];
    // The guide numbers the digital keys of a wallet 1 and 2.
    const numbers = new Map([
      [String(holder.tokenId), '1'],
      [String(sibling.tokenId), '2'],
    ]);
    const shown = sentence.startsWith('Your credential')
      ? said.map((text) => String(text).replaceAll(/\d+/g, (digits) => numbers.get(digits) ?? digits))
      : said;
    expect([statusCode, ...shown]).toEqual([Number(status), sentence]);
  });
});

/**
 * Errors of a service whose node does not respond. With `isMoved`, the digital key moves after the caller was let in: the guard of
 * this service lets everybody in, and a real one refuses the credential as soon as the digital key has moved.
 */
async function askWithoutNode({ isMoved }: { isMoved: boolean }): Promise<Pick<Reply, 'envelope'>> {
  const account = privateKeyToAccount(generatePrivateKey());
  const walletAddress = account.address.toLowerCase();
  const holderId = '019a8f3e-7c00-7000-8000-0000000000aa';
  const service = await startTestApp({
    guard: async () => ({
      scope: { role: 'holder', holderId, tokenId: 1, walletAddress },
      credentialId: walletAddress,
    }),
    // Nothing listens there.
    signIn: { domain: null, uri: null, chainId: 1, rpcUrl: 'http://127.0.0.1:1', adminWallets: [] },
  });
  try {
    await runSql(
      service.ownerUrl,
      `SET search_path = keyfront;
       INSERT INTO planets (number, name) VALUES (1, 'Verdane');
       INSERT INTO holders (id, wallet_address) VALUES ('${holderId}', '${walletAddress}');
       INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT 1, '${holderId}', id FROM planets`,
    );
    const ask = async (method: string, path: string, body: object): Promise<Reply['envelope']> => {
      const headers = { 'content-type': 'application/json' };
      const url = `${service.origin}/api/v1/marketplace/nfts/sale${path}`;
      return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json() as Promise<
        Reply['envelope']
      >;
    };
    const { data } = await ask('POST', '', { tokenId: 1, price: '1' });
    if (isMoved) {
      await runSql(
        service.ownerUrl,
        `SET search_path = keyfront;
         INSERT INTO holders (wallet_address) VALUES ('0x${'2'.repeat(40)}');
         UPDATE digital_keys SET holder_id = holders.id FROM holders WHERE wallet_address = '0x${'2'.repeat(40)}'`,
      );
    }
    const signature = `0x${'00'.repeat(100)}`;
    return { envelope: await ask('PATCH', `/${(data as NftSale).id}`, { tokenId: 1, signature }) };
  } finally {
    await service.close();
  }
}

it('the state diagram of the marketplace guide matches its table', () => {
  const [rows = []] = readTables(guide, 'States of a sale');
  const moves = rows.flatMap(([move = '']) => readCode(move));
  expect(['[*] --> DRAFT', ...moves].sort()).toEqual(readMoves(guide, 'States of a sale').sort());
});
