import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDemoCredentials } from '@keyfront/demo';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-file-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function makeDemoFile(): Promise<DemoFile> {
  const { holders, admin } = await makeDemoCredentials();
  const shared = {
    tokenIds: [1, 2],
    primaryTokenId: 1,
    clientIds: { ready: 'a', pending: 'b', rejected: 'c', emptyCart: 'd' },
  };
  return {
    baseUrl: 'http://127.0.0.1:3000',
    holders: [
      { name: 'One', ...shared, ...holders[0] },
      { name: 'Other', ...shared, ...holders[1] },
    ],
    admin,
  };
}

describe('the demo file', () => {
  it('comes back as it was written, for this user only, and leaves nothing beside it', async () => {
    const inner = join(folder, 'data');
    const file = await makeDemoFile();
    await writeDemoFile(inner, await makeDemoFile());
    await writeDemoFile(inner, file);
    expect(await readDemoFile(inner)).toEqual(file);
    expect((await stat(join(inner, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(inner)).toEqual(['demo.json']);
  });

  it('is null when there is none', async () => {
    expect(await readDemoFile(folder)).toBeNull();
    expect(await readDemoFile(join(folder, 'missing'))).toBeNull();
  });

  it('is null wherever it was torn off', async () => {
    await writeDemoFile(folder, await makeDemoFile());
    const text = (await readFile(join(folder, 'demo.json'), 'utf8')).trimEnd();
    for (let length = 0; length < text.length; length += 97) {
      await writeFile(join(folder, 'demo.json'), text.slice(0, length));
      expect(await readDemoFile(folder)).toBeNull();
    }
  });

  it('is null when it is something else', async () => {
    const file = await makeDemoFile();
    const [first, second] = file.holders;
    const others = [
      null,
      [],
      { ...file, holders: [first] },
      { ...file, admin: {} },
      { ...file, holders: [{ ...first, apiKey: 'bm90IGEga2V5' }, second] },
    ];
    for (const other of others) {
      await writeFile(join(folder, 'demo.json'), JSON.stringify(other));
      expect(await readDemoFile(folder)).toBeNull();
    }
  });
});
