import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../../lib/errors/api-error.ts';
import type { ImageStore } from './image-store.ts';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Null: that of Amazon in the region. */
  readonly endpoint: string | null;
  /** Null: those that the SDK of Amazon finds, for example the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

const folder = 'images';
const connectionTimeoutMs = 3_000;
const requestTimeoutMs = 10_000;
const maxAttempts = 3;

/** Keeps images as objects of a bucket in S3, or in another store with its protocol. */
export function createS3ImageStore(settings: S3Settings): ImageStore {
  const { bucket } = settings;
  const keyOf = (name: string) => `${folder}/${name}`;
  let loading: ReturnType<typeof loadClient> | undefined;
  const run = async <Result>(work: (loaded: Awaited<ReturnType<typeof loadClient>>) => Promise<Result>) => {
    loading ??= loadClient(settings);
    return work(await loading);
  };
  return {
    put: (name, content, type) =>
      run(async ({ client, sdk }) => {
        const object = { Bucket: bucket, Key: keyOf(name), Body: content, ContentType: type };
        await client.send(new sdk.PutObjectCommand(object)).catch(throwUnavailable);
      }),
    find: (name) =>
      run(async ({ client, sdk }) => {
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
          return Body ? Buffer.from(await Body.transformToByteArray()) : null;
        } catch (error) {
          if (error instanceof sdk.NoSuchKey) return null;
          return throwUnavailable(error);
        }
      }),
  };
}

/** Loaded with the first image, and only where a bucket is configured. */
async function loadClient({ region, endpoint, credentials }: S3Settings) {
  const sdk = await import('@aws-sdk/client-s3');
  const client: S3Client = new sdk.S3Client({
    region,
    maxAttempts,
    requestHandler: { connectionTimeout: connectionTimeoutMs, requestTimeout: requestTimeoutMs },
    // Other stores seldom have a host name for each bucket, and do not know the checksums of Amazon.
    ...(endpoint === null
      ? {}
      : {
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
    ...(credentials === null ? {} : { credentials }),
  });
  return { client, sdk };
}

/** The cause is for the log. */
function throwUnavailable(cause: unknown): never {
  throw new ApiError('UNAVAILABLE', { headers: { 'retry-after': '2' }, cause });
}
