import type { S3Client } from '@aws-sdk/client-s3';
import { type FileStore, FileStoreUnavailable } from './file-store.ts';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Null: that of Amazon in the region. */
  readonly endpoint: string | null;
  /** Null: those that the SDK of Amazon finds, for example the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

const connectionTimeoutMs = 3_000;
const requestTimeoutMs = 10_000;
const maxAttempts = 3;

/** Keeps files as objects of a bucket in S3, or in another store with its protocol, below a folder. */
export function createS3Store(settings: S3Settings, folder: string): FileStore {
  const place = (name: string) => ({ Bucket: settings.bucket, Key: `${folder}/${name}` });
  let loading: ReturnType<typeof loadClient> | undefined;
  const run = async <Result>(work: (loaded: Awaited<ReturnType<typeof loadClient>>) => Promise<Result>) => {
    loading ??= loadClient(settings);
    return work(await loading);
  };
  return {
    put: (name, content, type) =>
      run(async ({ client, sdk }) => {
        const object = { ...place(name), Body: content, ContentType: type };
        await client.send(new sdk.PutObjectCommand(object)).catch(throwUnavailable);
      }),
    find: (name) =>
      run(async ({ client, sdk }) => {
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand(place(name)));
          return Body ? Buffer.from(await Body.transformToByteArray()) : null;
        } catch (error) {
          if (error instanceof sdk.NoSuchKey) return null;
          return throwUnavailable(error);
        }
      }),
    remove: (name) =>
      run(async ({ client, sdk }) => {
        await client.send(new sdk.DeleteObjectCommand(place(name))).catch(throwUnavailable);
      }),
  };
}

/** Loaded with the first file, and only where a bucket is configured. */
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

function throwUnavailable(cause: unknown): never {
  throw new FileStoreUnavailable('The file store is unavailable', { cause });
}
