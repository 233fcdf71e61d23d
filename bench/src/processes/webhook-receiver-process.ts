import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './child.ts';
import type { ReceiverJob, ReceiverState } from './webhook-receiver.ts';

// An endpoint of webhooks that accepts everything at once.

let deliveries = 0;
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    deliveries += 1;
    response.writeHead(204).end();
  });
});
const listening = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () =>
    resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
  );
});

serveParent<ReceiverJob, ReceiverState>(async () => ({ url: await listening, deliveries }));
