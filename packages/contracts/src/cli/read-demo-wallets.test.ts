import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDemoWallets } from './read-demo-wallets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-chain-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const amira = {
  name: 'Amira',
  walletAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  tokenIds: [1001, 1002],
};
const write = (text: string) => writeFile(join(folder, 'demo.json'), text);

describe('readDemoWallets', () => {
  it('reads the wallets without their secrets', async () => {
    await write(JSON.stringify({ holders: [{ ...amira, walletPrivateKey: '0x1', secretKey: 'x' }] }));
    expect(await readDemoWallets(folder)).toEqual([amira]);
  });

  it('explains how to create a missing file', async () => {
    await expect(readDemoWallets(folder)).rejects.toThrow(
      `${join(folder, 'demo.json')} does not exist. Run npm start once to create the demo data.`,
    );
  });

  it('rejects a file with other content', async () => {
    for (const text of [
      '',
      '{',
      'null',
      '{}',
      '{"holders":[]}',
      '{"holders":[null]}',
      '{"holders":[{"name":"Amira"}]}',
      JSON.stringify({ holders: [{ ...amira, name: 1 }] }),
      JSON.stringify({ holders: [{ ...amira, walletAddress: '0x12' }] }),
      JSON.stringify({ holders: [{ ...amira, tokenIds: ['1'] }] }),
      JSON.stringify({ holders: [{ ...amira, tokenIds: [-1] }] }),
      JSON.stringify({ holders: [amira, { ...amira, tokenIds: 7 }] }),
    ]) {
      await write(text);
      await expect(readDemoWallets(folder), text).rejects.toThrow('is not a valid demo file. Delete it');
    }
  });

  it('reports why the file cannot be read', async () => {
    await mkdir(join(folder, 'demo.json'));
    await expect(readDemoWallets(folder)).rejects.toThrow(/^Cannot read .*demo\.json: EISDIR/);
  });
});
