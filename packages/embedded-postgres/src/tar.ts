/** An entry of a tar archive. Only files and folders are supported. */
export interface TarEntry {
  /** With `/` between folders, and without one at the end. At most 100 bytes. */
  readonly name: string;
  readonly type: 'file' | 'folder';
  /** In bytes. 0 for a folder. */
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
  readonly modifiedAt: Date;
}

export interface TarMember {
  readonly entry: TarEntry;
  /** The content of a file. What the caller does not read is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** The content is not a tar archive that can be read. */
export class TarError extends Error {
  override name = 'TarError';
}

const blockBytes = 512;
const maxNameBytes = 100;

/** The fields of a header in the ustar format, as position and length in bytes. */
const fields = {
  name: [0, maxNameBytes],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  modifiedAt: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

const types: Readonly<Record<string, TarEntry['type']>> = { '0': 'file', '\0': 'file', '5': 'folder' };
/** `ustar`, a NUL and the version 00. */
const magic = 'ustar\x0000';

/** The blocks that end an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** Returns the header of an entry. Its content follows, and then the padding. */
export function encodeTarHeader({ name, type, size, mode, modifiedAt }: TarEntry): Buffer {
  const header = Buffer.alloc(blockBytes);
  const path = type === 'folder' ? `${name}/` : name;
  if (Buffer.byteLength(path) > maxNameBytes)
    throw new TarError(`The name ${name} is too long for a tar archive`);
  const write = (field: keyof typeof fields, text: string) => header.write(text, fields[field][0], 'utf8');
  const writeNumber = (field: keyof typeof fields, value: number) =>
    write(field, value.toString(8).padStart(fields[field][1] - 1, '0'));
  write('name', path);
  writeNumber('mode', mode);
  writeNumber('uid', 0);
  writeNumber('gid', 0);
  writeNumber('size', size);
  writeNumber('modifiedAt', Math.floor(modifiedAt.getTime() / 1000));
  write('type', type === 'folder' ? '5' : '0');
  write('magic', magic);
  write('checksum', `${sumHeader(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** Returns the zeros that follow a content of this size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(-size & (blockBytes - 1));
}

/** Reads a tar archive member by member. Throws a `TarError` when it is damaged or ends early. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarMember> {
  const reader = new ByteReader(source);
  for (;;) {
    const header = await reader.read(blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const entry = decodeTarHeader(header);
    let remaining = entry.size;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        const chunk = await reader.readSome(remaining);
        remaining -= chunk.length;
        yield chunk;
      }
    };
    yield { entry, content: { [Symbol.asyncIterator]: content } };
    for await (const _skipped of content());
    await reader.read(tarPadding(entry.size).length);
  }
  // Reads to the end, so that a compressed source can verify its own checksum.
  await reader.skipAll();
}

function decodeTarHeader(header: Buffer): TarEntry {
  const text = (field: keyof typeof fields) => {
    const [start, length] = fields[field];
    return header.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  };
  const number = (field: keyof typeof fields) => {
    const digits = text(field).trim();
    if (!/^[0-7]*$/.test(digits)) throw new TarError('The archive has a damaged header');
    return Number.parseInt(digits || '0', 8);
  };
  if (number('checksum') !== sumHeader(header)) throw new TarError('The archive has a damaged header');
  const type = types[header.toString('latin1', fields.type[0], fields.type[0] + 1)];
  if (!type) throw new TarError(`The archive contains ${text('name')}, which is neither a file nor a folder`);
  const name = [text('prefix'), text('name')].filter(Boolean).join('/').replace(/\/$/, '');
  return {
    name,
    type,
    size: number('size'),
    mode: number('mode') & 0o777,
    modifiedAt: new Date(number('modifiedAt') * 1000),
  };
}

/** The sum of all bytes, with spaces in the place of the checksum. */
function sumHeader(header: Buffer): number {
  const [start, length] = fields.checksum;
  let sum = length * ' '.charCodeAt(0);
  for (const [index, byte] of header.entries()) {
    if (index < start || index >= start + length) sum += byte;
  }
  return sum;
}

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns between 1 and `limit` bytes. */
  async readSome(limit: number): Promise<Buffer> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) throw new TarError('The archive ends early');
      this.#chunk = value;
    }
    const taken = this.#chunk.subarray(0, limit);
    this.#chunk = this.#chunk.subarray(limit);
    return taken;
  }

  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.readSome(missing);
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  async skipAll(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}
