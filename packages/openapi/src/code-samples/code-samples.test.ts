import { operationList } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { cliSample } from './cli-sample.ts';
import { curlSample } from './curl-sample.ts';
import { describeSamples } from './describe-samples.ts';
import type { SampleOperation } from './sample-operation.ts';
import { literal, typescriptSample } from './typescript-sample.ts';

const baseUrl = 'https://api.example/api/v1';
const list: SampleOperation = {
  method: 'GET',
  path: '/dapp/strains',
  access: 'credential',
  baseUrl,
  query: { search: 'lunar saffron', take: 5 },
  sdk: 'strains.list',
};
const create: SampleOperation = {
  method: 'POST',
  path: '/dapp/orders',
  access: 'credential',
  baseUrl,
  body: { clientId: '42' },
  sdk: 'orders.create',
};
const update: SampleOperation = {
  method: 'PATCH',
  path: '/admin/orders/{orderId}',
  access: 'administrator',
  baseUrl,
  parameters: { orderId: '7' },
  body: { orderStatus: 'SHIPPED' },
  sdk: 'admin.orders.update',
};

const keyId = `key_id=$(printf '%s' "$KEYFRONT_API_KEY" | openssl base64 -d -A |
  openssl pkey -pubin -outform DER | openssl dgst -sha256 -r | cut -c 1-64)`;
const signing = `  openssl dgst -sha256 -sign <(printf '%s' "$KEYFRONT_SECRET_KEY" | openssl base64 -d -A) |
  openssl asn1parse -inform DER | sed -n 's/.*INTEGER *://p' |
  while read -r number; do printf '%64s' "$number"; done | tr ' ' 0 | sed 's/../\\\\x&/g')`;
const signedHeaders = `  --header "signature-input: sig1=$params" \\
  --header @<(printf 'signature: sig1=:%s:\\n' "$(printf "$signature" | openssl base64 -A)")`;

describe('curl sample', () => {
  it('binds the signature to the method and the address with its query', () => {
    expect(curlSample(list)).toBe(`url="https://api.example/api/v1/dapp/strains?search=lunar%20saffron&take=5"
${keyId}
params="(\\"@method\\" \\"@target-uri\\");created=$(date +%s);keyid=\\"$key_id\\""
signature=$(printf '"@method": %s\\n"@target-uri": %s\\n"@signature-params": %s' \\
  GET "$url" "$params" |
${signing}
curl "$url" \\
${signedHeaders}`);
  });

  it('binds it to the body, and has a nonce where something changes', () => {
    expect(curlSample(create)).toBe(`url="https://api.example/api/v1/dapp/orders"
body='{"clientId":"42"}'
digest="sha-256=:$(printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"
${keyId}
params="(\\"@method\\" \\"@target-uri\\" \\"content-digest\\");created=$(date +%s);keyid=\\"$key_id\\";nonce=\\"$(openssl rand -hex 16)\\""
signature=$(printf '"@method": %s\\n"@target-uri": %s\\n"content-digest": %s\\n"@signature-params": %s' \\
  POST "$url" "$digest" "$params" |
${signing}
curl --request POST "$url" \\
${signedHeaders} \\
  --header "content-digest: $digest" \\
  --header 'content-type: application/json' \\
  --data-raw "$body"`);
    expect(curlSample({ ...list, method: 'DELETE' })).toContain(';nonce=');
  });

  it('sends an idempotency key of its own where the operation takes one', () => {
    for (const access of ['credential', 'jwt'] as const) {
      const sample = curlSample({ ...create, access, takesIdempotencyKey: true });
      expect(sample).toContain('\nidempotency_key=$(openssl rand -hex 16)\n');
      expect(sample).toContain('  --header "idempotency-key: $idempotency_key" \\');
    }
  });

  it('sends a token where only that is accepted, and nothing where everybody may call', () => {
    expect(curlSample(update)).toBe(`# KEYFRONT_TOKEN holds the JWT of an administrator.
body='{"orderStatus":"SHIPPED"}'
curl --request PATCH "https://api.example/api/v1/admin/orders/7" \\
  --header @<(printf 'authorization: Bearer %s\\n' "$KEYFRONT_TOKEN") \\
  --header 'content-type: application/json' \\
  --data-raw "$body"`);
    expect(curlSample({ method: 'GET', path: '/status', access: 'public', baseUrl })).toBe(
      'curl "https://api.example/api/v1/status"',
    );
  });

  it('spreads a long body over lines', () => {
    const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };
    expect(curlSample({ ...create, body })).toContain(`body='{\n  "firstName": "Ada",\n`);
  });
});

describe('TypeScript sample', () => {
  it('passes the query, the body, or the parameters and the body', () => {
    expect(typescriptSample(list)).toBe(`import { Keyfront } from '@keyfront/sdk';

const keyfront = new Keyfront({
  baseUrl: 'https://api.example/api/v1',
  apiKey: process.env.KEYFRONT_API_KEY,
  secretKey: process.env.KEYFRONT_SECRET_KEY,
});

const page = await keyfront.strains.list({ search: 'lunar saffron', take: 5 });
console.log(page);`);
    expect(typescriptSample(create)).toContain(
      "const order = await keyfront.orders.create({ clientId: '42' });",
    );
    expect(typescriptSample(update)).toContain('token: process.env.KEYFRONT_TOKEN,');
    expect(typescriptSample(update)).toContain(
      "const order = await keyfront.admin.orders.update('7', { orderStatus: 'SHIPPED' });",
    );
  });

  it('knows the methods that are called in another way', () => {
    const sale: SampleOperation = { ...create, method: 'PATCH', path: '/dapp/sales', sdk: 'sales.update' };
    expect(typescriptSample({ ...sale, query: { id: '7' } })).toContain(
      "keyfront.sales.update('7', { clientId: '42' })",
    );
    expect(typescriptSample(sale)).toContain("keyfront.sales.update(null, { clientId: '42' })");
    expect(typescriptSample({ ...list, query: { status: 'SHIPPED' }, sdk: 'orders.export' })).toContain(
      "for await (const order of keyfront.orders.export({ status: 'SHIPPED' })) {",
    );
    expect(typescriptSample({ ...list, method: 'DELETE', query: {}, sdk: 'keys.revoke' })).toContain(
      '\nawait keyfront.keys.revoke();',
    );
  });

  it('uses the general request for an operation that the SDK has no method for', () => {
    const { sdk, ...unnamed } = create;
    expect(typescriptSample(unnamed)).toContain(
      "keyfront.request('POST', '/dapp/orders', { body: { clientId: '42' } })",
    );
  });

  it('writes values as a program would', () => {
    expect(literal({ 'x-y': [1, null, true], text: 'it\'s "so"\n' })).toBe(
      `{ 'x-y': [1, null, true], text: 'it\\'s "so"\\n' }`,
    );
    expect(literal({ items: [{ id: 'a'.repeat(36), quantity: 2 }], clientId: 'b'.repeat(36) })).toBe(`{
  items: [
    {
      id: '${'a'.repeat(36)}',
      quantity: 2,
    },
  ],
  clientId: '${'b'.repeat(36)}',
}`);
  });
});

describe('CLI sample', () => {
  it('has the query and the body as options, quoted where needed', () => {
    expect(cliSample(list)).toBe(
      "keyfront get /dapp/strains \\\n  --query 'search=lunar saffron' \\\n  --query take=5",
    );
    expect(cliSample(create)).toBe(`keyfront post /dapp/orders \\\n  --data '{"clientId":"42"}'`);
  });

  it('uses the profile of the guides for those who sign in', () => {
    expect(cliSample(update)).toContain('--profile admin');
    expect(cliSample({ ...update, access: 'jwt' })).toContain('--profile wallet');
  });
});

describe('CLI sample of an operation whose response contains a secret', () => {
  it('creates the key pair on the machine instead of printing the secret key', () => {
    const sample = cliSample({
      ...create,
      path: '/keys',
      access: 'jwt',
      body: { keyName: "Ada's storefront" },
      sdk: 'keys.create',
    });
    expect(sample).toBe(
      "keyfront keys create 'Ada'\\''s storefront' \\\n  --secret-key-file storefront.pem \\\n  --profile wallet",
    );
  });

  it('saves the token in a profile instead of printing it', () => {
    expect(cliSample({ ...create, path: '/auth/signIn', access: 'public', sdk: 'auth.signIn' })).toBe(
      'keyfront login \\\n  --url https://api.example/api/v1 \\\n  --wallet-key-file wallet.txt \\\n  --profile wallet',
    );
  });
});

const labelsOf = (id: string) => {
  const operation = operationList.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return describeSamples(operation, baseUrl).map(({ lang, label }) => [lang, label]);
};

it('makes one sample of each kind', () => {
  expect(labelsOf('createOrder')).toEqual([
    ['Shell', 'curl'],
    ['TypeScript', 'SDK'],
    ['CLI', 'CLI'],
  ]);
  expect(labelsOf('getInvoice')).toContainEqual(['CLI', 'CLI']);
  // A page that the command line does not know.
  expect(labelsOf('getPackingSlip')).toEqual([
    ['Shell', 'curl'],
    ['TypeScript', 'SDK'],
  ]);
});

it('makes a program without the SDK for the report of a provider', () => {
  expect(labelsOf('reportPayment')).toEqual([['TypeScript', 'Node.js']]);
});

it('streams are read as they come', () => {
  const stream: SampleOperation = {
    ...list,
    path: '/events/stream',
    query: { type: 'order.*' },
    sdk: 'events.stream',
    isStream: true,
  };
  expect(curlSample(stream)).toContain('\ncurl --no-buffer "$url" \\\n');
  expect(typescriptSample(stream)).toContain(
    "for await (const event of keyfront.events.stream({ type: 'order.*' })) {\n  console.log(event);\n}",
  );
  expect(cliSample(stream)).toBe("keyfront listen --events 'order.*'");
});
