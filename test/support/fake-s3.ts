import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '@keyfront/file-store';

interface StoredObject {
  readonly content: Buffer;
  readonly contentType: string;
}

export interface FakeS3 {
  readonly settings: S3Settings;
  /** Objects by their path, as the store of another vendor keeps them. */
  readonly objects: Map<string, StoredObject>;
  readonly requests: { method: string; path: string; authorization: string }[];
  isDown: boolean;
  close(): void;
}

/** As much of the protocol of S3 as PutObject, GetObject and DeleteObject need. */
export async function startS3(): Promise<FakeS3> {
  const objects: FakeS3['objects'] = new Map();
  const requests: FakeS3['requests'] = [];
  const server = createServer(async (request, response) => {
    const content = await buffer(request);
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const { authorization = '', 'content-type': contentType = '' } = request.headers;
    requests.push({ method: request.method ?? '', path, authorization });
    if (s3.isDown) return response.writeHead(503).end();
    if (request.method === 'PUT') {
      objects.set(path, { content, contentType });
      return response.writeHead(200, { etag: '"x"' }).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return response.writeHead(204).end();
    }
    const found = objects.get(path);
    if (found) return response.writeHead(200, { 'content-type': found.contentType }).end(found.content);
    const error = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>None</Message></Error>';
    return response.writeHead(404, { 'content-type': 'application/xml' }).end(error);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const s3: FakeS3 = {
    settings: {
      bucket: 'shop-images',
      region: 'eu-west-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'an-access-key', secretAccessKey: 'a secret of the bucket' },
    },
    objects,
    requests,
    isDown: false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return s3;
}
