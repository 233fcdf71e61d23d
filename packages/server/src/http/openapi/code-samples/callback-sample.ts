import { samplePath } from './sample-operation.ts';
import { literal } from './typescript-sample.ts';

/** A report of a provider, with example values, to be written as a program. */
export interface SampleCallback {
  readonly path: string;
  readonly baseUrl: string;
  readonly body: unknown;
  /** The setting of the service that holds the secret. */
  readonly secretSetting: string;
}

/** A program that signs a report by the Standard Webhooks specification and sends it, with nothing but Node.js. */
export function callbackSample({ path, baseUrl, body, secretSetting }: SampleCallback): string {
  const url = baseUrl + samplePath({ method: 'POST', path, access: 'public', baseUrl });
  return `import { createHmac, randomUUID } from 'node:crypto';

const secret = String(process.env.${secretSetting}).replace('whsec_', '');
const body = JSON.stringify(${literal(body)});
const id = \`msg_\${randomUUID()}\`;
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
  .update(\`\${id}.\${timestamp}.\${body}\`)
  .digest('base64');

const response = await fetch(${literal(url)}, {
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
