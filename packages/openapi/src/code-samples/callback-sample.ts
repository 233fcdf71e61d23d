import type { Operation } from '@keyfront/protocol';
import { literal } from './typescript-sample.ts';

/** A program that signs a report by the Standard Webhooks specification and sends it, with nothing but Node.js. */
export function callbackSample({ path, provider, example }: Operation, baseUrl: string): string {
  return `import { createHmac, randomUUID } from 'node:crypto';

const secret = String(process.env.${provider}_CALLBACK_SECRET).replace('whsec_', '');
const body = JSON.stringify(${literal(example.body)});
const id = \`msg_\${randomUUID()}\`;
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
  .update(\`\${id}.\${timestamp}.\${body}\`)
  .digest('base64');

const response = await fetch(${literal(baseUrl + path)}, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': \`v1,\${signature}\`,
  },
  body,
});
console.log(response.status, await response.json());`;
}
