import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  encodeTarHeader,
  readTar,
  type TarEntry,
  TarError,
  tarEnd,
  tarPadding,
} from '@keyfront/embedded-postgres';
import { describe, expect, it } from 'vitest';
import { archiveNames, packArchive, unpackArchive } from './index.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const contents: Readonly<Record<string, string>> = {
  backup_label: 'START WAL LOCATION',
  './pg_wal/000000010000000000000002': 'wal'.repeat(1_000),
  empty: '',
};

function encodeTar(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const entry: TarEntry = { name, type: 'file', size: content.length, mode: 0o600, modifiedAt: now };
    return [encodeTarHeader(entry), content, tarPadding(content.length)];
  });
  const folder = encodeTarHeader({
    name: 'pg_notify',
    type: 'folder',
    size: 0,
    mode: 0o700,
    modifiedAt: now,
  });
  return Buffer.concat([folder, ...parts, tarEnd]);
}

/** Splits the bytes at places that have nothing to do with their content. */
async function* chunksOf(bytes: Buffer, length = 777): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const pack = (cluster = encodeTar(contents)) =>
  buffer(
    packArchive(
      {
        files: [{ name: 'secrets.json', content: Buffer.from('{}') }],
        cluster: chunksOf(cluster),
        images: (async function* () {
          yield { name: 'images/a.png', content: Buffer.from('pixels') };
        })(),
      },
      now,
    ),
  );

async function unpack(bytes: Buffer): Promise<Record<string, string>> {
  const members: Record<string, string> = {};
  await unpackArchive(chunksOf(bytes), async ({ entry, content }) => {
    members[entry.name] = entry.type === 'folder' ? 'folder' : (await buffer(content)).toString();
  });
  return members;
}

describe('an archive', () => {
  it('contains the cluster, the secrets and the images', async () => {
    expect(await unpack(await pack())).toEqual({
      'secrets.json': '{}',
      'postgres/pg_notify': 'folder',
      'postgres/backup_label': contents.backup_label,
      'postgres/pg_wal/000000010000000000000002': 'wal'.repeat(1_000),
      'postgres/empty': '',
      'images/a.png': 'pixels',
    });
  });

  it('is a tar archive that other programs read', async () => {
    const list = execFileSync('tar', ['-tvf', '-'], { input: await pack(), encoding: 'utf8' });
    const names = list
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').at(-1));
    expect(names).toEqual([
      archiveNames.description,
      'secrets.json',
      'postgres/pg_notify/',
      'postgres/backup_label',
      'postgres/pg_wal/000000010000000000000002',
      'postgres/empty',
      'images/a.png',
      archiveNames.checksums,
    ]);
    expect(list).toMatch(/^-rw------- .* 2026-11-15/);
  });

  it('is refused when it ends early, wherever that is', async () => {
    const bytes = await pack();
    for (let length = 0; length < bytes.length - tarEnd.length; length += 97) {
      await expect(unpack(bytes.subarray(0, length))).rejects.toThrow();
    }
    // Complete records, but the end is missing.
    const checksumsAt = bytes.indexOf(archiveNames.checksums);
    await expect(unpack(Buffer.concat([bytes.subarray(0, checksumsAt), tarEnd]))).rejects.toThrow(
      'it is incomplete',
    );
  });

  it('is refused when a byte of a file or of its header was changed', async () => {
    const bytes = await pack();
    const walAt = bytes.indexOf('walwalwal');
    const nameAt = bytes.indexOf('postgres/backup_label');
    for (const position of [walAt, walAt + 2_000, nameAt, nameAt + 124]) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(position) ^ 1, position);
      await expect(unpack(damaged)).rejects.toThrow();
    }
  });

  it('is refused when it is compressed and any bit of that was changed', async () => {
    const compressed = gzipSync(await pack());
    // The ten bytes of the header are not covered by the checksum, and mean nothing here.
    for (let position = 10; position < compressed.length; position += 13) {
      // The compressed data ends within its last byte, in front of eight bytes of checksum and length.
      if (position === compressed.length - 9) continue;
      const damaged = Buffer.from(compressed);
      damaged.writeUInt8(damaged.readUInt8(position) ^ 16, position);
      await expect((async () => unpack(gunzipSync(damaged)))()).rejects.toThrow();
    }
  });

  it('is refused when it is not a backup, or one of another format', async () => {
    await expect(unpack(encodeTar(contents))).rejects.toThrow('it is not a backup of Keyfront');
    const other = encodeTar({ [archiveNames.description]: '{"format":2}' }).subarray(512);
    await expect(unpack(other)).rejects.toThrow('it has the format 2, which this version does not know');
  });
});

describe('readTar', () => {
  it('skips content that is not read', async () => {
    const names: string[] = [];
    for await (const { entry } of readTar(chunksOf(encodeTar(contents), 5))) names.push(entry.name);
    expect(names).toEqual(['pg_notify', ...Object.keys(contents)]);
  });

  it('refuses entries that are neither files nor folders', async () => {
    const link = encodeTarHeader({ name: 'x', type: 'file', size: 0, mode: 0o777, modifiedAt: now });
    link.write('2', 156);
    // The sum of a header changes with its bytes.
    link.write((Number.parseInt(link.toString('latin1', 148, 154), 8) + 2).toString(8).padStart(6, '0'), 148);
    const reading = async () => {
      for await (const _member of readTar(chunksOf(Buffer.concat([link, tarEnd]))));
    };
    await expect(reading()).rejects.toThrow(TarError);
    await expect(reading()).rejects.toThrow('The archive contains x, which is neither a file nor a folder');
  });

  it('reads the ustar archives of other programs', async () => {
    const bytes = execFileSync('tar', ['--format=ustar', '-cf', '-', '-C', '/etc', 'passwd']);
    for await (const { entry, content } of readTar(chunksOf(bytes))) {
      expect(entry).toMatchObject({ name: 'passwd', type: 'file' });
      expect((await buffer(content)).length).toBe(entry.size);
    }
  });
});
