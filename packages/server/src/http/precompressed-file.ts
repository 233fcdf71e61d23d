import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

type Encoding = 'br' | 'gzip' | 'identity';

interface Representation {
  readonly encoding: Encoding;
  readonly body: Buffer;
  /** A strong one, so it differs between the encodings. */
  readonly etag: string;
}

/** A file in every encoding that it is served in, the smallest first. */
export interface PrecompressedFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly representations: readonly Representation[];
}

/** Compresses a file once, in the thread pool, for all requests to come. */
export async function precompressFile(
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<PrecompressedFile> {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // The highest quality would save another tenth and take forty times as long.
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    compressGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return precompressedFile({ hash: hashContent(plain), headers, plain, brotli, gzipped });
}

/** Hashes the content of a file for its ETag. */
function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}

interface CompressedContent {
  /** Of the plain content. */
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Buffer;
  readonly brotli?: Buffer | null;
  readonly gzipped?: Buffer | null;
}

/** A file that was compressed before, or whose format is compressed already. An encoding that makes it no smaller is not used. */
export function precompressedFile({
  hash,
  headers,
  plain,
  brotli = null,
  gzipped = null,
}: CompressedContent): PrecompressedFile {
  const represent = (encoding: Encoding, body: Buffer | null): Representation[] =>
    body && body.length < plain.length ? [{ encoding, body, etag: `"${hash}-${encoding}"` }] : [];
  return {
    headers,
    representations: [
      ...represent('br', brotli),
      ...represent('gzip', gzipped),
      { encoding: 'identity', body: plain, etag: `"${hash}"` },
    ],
  };
}

/** Sends the file in the encoding that the client prefers, or 304 where the client has it already. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PrecompressedFile,
): FastifyReply {
  const { encoding, body, etag } = chooseRepresentation(file, request.headers['accept-encoding']);
  reply.headers(file.headers).header('etag', etag);
  addVary(reply, 'accept-encoding');
  if (hasMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

function chooseRepresentation({ representations }: PrecompressedFile, accepted = ''): Representation {
  const weights = readWeights(accepted);
  const weightOf = ({ encoding }: Representation) =>
    // Without being named, only the plain file is acceptable.
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
  const [first, ...others] = representations.filter((one) => weightOf(one) > 0);
  const plain = representations.at(-1);
  if (!plain) throw new Error('A file always has its plain representation');
  // Of equal weights the first one wins, which is the smallest.
  return others.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), first ?? plain);
}

/** `br;q=0.9, gzip` as a map of weights. */
export function readWeights(header: string): Map<string, number> {
  return new Map(
    header.split(',').flatMap((part): [string, number][] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return name ? [[name, weight ? Number(weight.slice(2)) || 0 : 1]] : [];
    }),
  );
}

/** Compares weakly, as the header demands: proxies that compress by themselves make tags weak. */
function hasMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** CORS may have said already that the response depends on the origin. */
export function addVary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present === undefined ? name : `${present}, ${name}`);
}
