import { crc32 } from './crc32.ts';

/** A file of an archive. Its content may come in parts. */
export interface ArchivedFile {
  readonly path: string;
  readonly content: string | AsyncIterable<string>;
}

interface WrittenFile {
  readonly path: Uint8Array<ArrayBuffer>;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Where its header starts. */
  readonly offset: number;
}

const largestSize = 0xffff_ffff;
const signatures = { file: 0x04034b50, descriptor: 0x08074b50, directory: 0x02014b50, end: 0x06054b50 };
/** Deflate needs version 2.0. */
const version = 20;
/** Sizes and checksum follow the content (bit 3), and names are UTF-8 (bit 11). */
const flags = 0x0808;
const deflate = 8;
/** 1 January 1980, the first day that the format knows. The time of a file says nothing here. */
const day = 0x0021;

const encoder = new TextEncoder();

/** Writes a ZIP archive in chunks. Nothing of a file is kept once it is written. */
export async function* writeZip(
  files: Iterable<ArchivedFile>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const written: WrittenFile[] = [];
  let position = 0;
  for (const { path, content } of files) {
    const name = encoder.encode(path);
    const header = fields([4, signatures.file], [2, version], [2, flags], [2, deflate], [2, 0], [2, day]);
    const offset = position;
    const measure = { crc: 0, size: 0 };
    let compressedSize = 0;
    yield* emit(header, fields([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]), name);
    for await (const chunk of compress(encode(content, measure))) {
      compressedSize += chunk.length;
      yield* emit(chunk);
    }
    // Larger ones need the 64-bit form of the format.
    if (measure.size > largestSize || position > largestSize)
      throw new RangeError('The file would be too large');
    const sizes = fields([4, measure.crc], [4, compressedSize], [4, measure.size]);
    yield* emit(fields([4, signatures.descriptor]), sizes);
    written.push({ path: name, ...measure, compressedSize, offset });
  }
  const start = position;
  for (const { path, crc, compressedSize, size, offset } of written) {
    yield* emit(
      fields(
        [4, signatures.directory],
        [2, version],
        [2, version],
        [2, flags],
        [2, deflate],
        [2, 0],
        [2, day],
      ),
      fields([4, crc], [4, compressedSize], [4, size], [2, path.length], [2, 0], [2, 0], [2, 0], [2, 0]),
      fields([4, 0], [4, offset]),
      path,
    );
  }
  const counts = fields([2, 0], [2, 0], [2, written.length], [2, written.length]);
  yield* emit(fields([4, signatures.end]), counts, fields([4, position - start], [4, start], [2, 0]));

  function* emit(...parts: readonly Uint8Array<ArrayBuffer>[]): Generator<Uint8Array<ArrayBuffer>> {
    for (const part of parts) {
      position += part.length;
      yield part;
    }
  }
}

/** Encodes the content, and notes its size and checksum. */
async function* encode(
  content: ArchivedFile['content'],
  measure: { crc: number; size: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const text of typeof content === 'string' ? [content] : content) {
    const bytes = encoder.encode(text);
    measure.crc = crc32(bytes, measure.crc);
    measure.size += bytes.length;
    yield bytes;
  }
}

/** Compresses chunks. Reads one only when there is room for its result. */
async function* compress(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { readable, writable } = new CompressionStream('deflate-raw');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  let failure: unknown;
  const feeding = (async () => {
    try {
      for await (const chunk of chunks) {
        await writer.ready;
        await writer.write(chunk);
      }
      await writer.close();
    } catch (error) {
      failure = error;
      await writer.abort(error).catch(() => undefined);
    }
  })();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield part.value as Uint8Array<ArrayBuffer>;
    }
    await feeding;
  } catch (error) {
    // The source's own error, instead of that of the aborted stream.
    await feeding;
    throw failure ?? error;
  } finally {
    await reader.cancel().catch(() => undefined);
    await chunks.return();
  }
}

/** Numbers in the byte order of the format, each with its length in bytes. */
function fields(...values: readonly (readonly [length: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of values) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  return bytes;
}
