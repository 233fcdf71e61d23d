import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nobody uses at this moment; somebody may take it before the caller does. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') {
          resolve(address.port);
        } else {
          reject(new Error('A probe for a free port got no address'));
        }
      });
    });
  });
}
