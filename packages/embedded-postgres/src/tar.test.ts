import { describe, expect, it } from 'vitest';
import { encodeTarHeader, readTar, TarError, tarEnd } from './tar.ts';

const modifiedAt = new Date('2026-11-15T09:30:00.000Z');
const header = encodeTarHeader({ name: 'secret', type: 'file', size: 0, mode: 0o600, modifiedAt });

async function readEntries(start: Buffer) {
  const source = (async function* () {
    yield Buffer.concat([start, tarEnd]);
  })();
  const entries = [];
  for await (const { entry } of readTar(source)) entries.push(entry);
  return entries;
}

describe('the header of a tar archive', () => {
  it('is read as it was written', async () => {
    expect(await readEntries(header)).toEqual([
      { name: 'secret', type: 'file', size: 0, mode: 0o600, modifiedAt },
    ]);
  });

  it.each([
    ['name', 'secret', 'public'],
    ['mode', '0000600', '0000644'],
    ['time', modifiedAt.getTime() / 1000, modifiedAt.getTime() / 1000 + 1],
  ])('is refused if its %s was changed, although that is valid too', async (_field, from, to) => {
    const write = (value: string | number) => (typeof value === 'string' ? value : value.toString(8));
    const changed = Buffer.from(header.toString('latin1').replace(write(from), write(to)), 'latin1');
    expect(changed).not.toEqual(header);
    await expect(readEntries(changed)).rejects.toThrow(new TarError('The archive has a damaged header'));
  });
});
