import { createHash, createHmac, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedPayload } from '@keyfront/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CurlAnswer, curl } from './support/curl.ts';
import {
  expectNoSecret,
  readAnswers,
  readCode,
  readDocument,
  readPrograms,
  readTables,
  runProgram,
  toPattern,
  watchCommands,
} from './support/guide-programs.ts';
import { type GuideService, startGuideService } from './support/guide-service.ts';
import { makeOpensslKey, type OpensslKey, signWithOpenssl } from './support/openssl.ts';
import { runSql } from './support/test-database.ts';

const guide = readDocument('docs/guides/signing.md');
const [bashProgram] = readPrograms(guide, 'Bash, openssl and curl', 'bash');
const bashHeadings = ['Bash, openssl and curl', 'Bound: Bash, openssl and curl'];

let service: GuideService;
/** For the files of one test. */
let folder: string;

beforeAll(async () => {
  service = await startGuideService();
});
afterAll(() => service.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the programs of the signing guide', () => {
  it.each(bashHeadings)(
    'keep the secret and the signature out of the process list, and leave no file behind: %s',
    { tags: ['long'] },
    async (heading) => {
      const [program] = readPrograms(guide, heading, 'bash');
      const commands = watchCommands(folder, ['openssl', 'curl']);
      const [cwd, temporary] = [join(folder, 'cwd'), join(folder, 'tmp')];
      mkdirSync(cwd);
      mkdirSync(temporary);
      const keys = service.variablesFor(service.key);
      const variables = { ...keys, PATH: commands.path, TMPDIR: temporary };
      const run = await runProgram('bash', ['-c', program], cwd, variables);
      expect(readAnswers(run).statuses).toEqual([200, 200]);
      expectNoSecret(commands.read(), keys.KEYFRONT_SECRET_KEY);
      expect([readdirSync(cwd), readdirSync(temporary)]).toEqual([[], []]);
    },
  );
});

describe('the payloads of the signing guide', () => {
  const [, rows = []] = readTables(guide, 'Signing requests');

  it('cover every method', () => {
    const methods = rows.flatMap(([request = '']) => readCode(request));
    expect(methods.sort()).toEqual([
      ...['DELETE', 'DELETE', 'GET', 'GET', 'PATCH', 'PATCH', 'POST', 'POST', 'PUT', 'PUT'],
    ]);
  });

  it.each(rows)('match the protocol: %s', (request, _rule, example, signed) => {
    const [target = '', body] = readCode(example ?? '');
    const [, query = null] = target.split('?');
    for (const method of readCode(request ?? '')) {
      const payload = signedPayload({ method, query, body: body === undefined ? null : Buffer.from(body) });
      expect([method, Buffer.from(payload).toString()]).toEqual([method, ...readCode(signed ?? '')]);
    }
  });
});

interface Mistake {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  /** The signed payload; `{}` by default. */
  readonly payload?: string | Buffer;
  /** Null leaves the header out. */
  readonly apiKey?: string | null;
  readonly signature?: string | null;
  readonly more?: readonly string[];
  readonly signer?: OpensslKey;
}

function send({ method = 'GET', path = '/planets', body, payload = '{}', ...rest }: Mistake) {
  const { signer = service.key, more = [] } = rest;
  const { apiKey = signer.apiKey, signature = signWithOpenssl(signer, payload) } = rest;
  return curl(
    ...['--request', method],
    ...(apiKey === null ? [] : ['--header', `x-auth-apikey: ${apiKey}`]),
    ...(signature === null
      ? []
      : ['--header', signature ? `x-auth-signature: ${signature}` : 'x-auth-signature;']),
    ...(body === undefined ? [] : ['--header', 'content-type: application/json', '--data-binary', body]),
    ...more,
    service.base + path,
  );
}

/** The reason in `WWW-Authenticate`. */
function readReason(answer: CurlAnswer): string {
  const [, quoted = ''] =
    /error_description="((?:[^"\\]|\\.)*)"$/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
  return quoted.replaceAll(/\\(.)/g, '$1');
}

const key = 'x-auth-apikey must be';
const base64 = `${key} Base64 of a PEM public key:`;
const ecdsa = 'x-auth-signature must be Base64 of an ECDSA signature (DER, or the 64 bytes of r and s):';
const mismatch = 'x-auth-signature does not match the payload of this request:';
const anyPayload = '… (… bytes, SHA-256 …)';
const body = '{"clientId":"42"}';
const order = { method: 'POST', path: '/dapp/orders', body };
const [query, path] = ['page=1', '/dapp/strains?page=1'];

/** Signs with a new key of the same holder that has one other setting. */
async function signWithNewKey(column: 'expires_at' | 'signatures', value: string): Promise<Mistake> {
  const added = makeOpensslKey(folder, column);
  const spki = createPublicKey(Buffer.from(added.apiKey, 'base64')).export({ type: 'spki', format: 'der' });
  await runSql(
    service.ownerUrl,
    `INSERT INTO keyfront.api_keys (holder_id, token_id, key_name, public_key, ${column})
     SELECT holder_id, token_id, 'New', $1, $2 FROM keyfront.api_keys WHERE key_name = 'Made by OpenSSL'`,
    [spki, value],
  );
  return { apiKey: added.apiKey, signature: signWithOpenssl(added, '{}') };
}

/** Each reason of the table with the mistake that the table describes. */
const mistakes: Readonly<Record<string, () => Mistake | Promise<Mistake>>> = {
  'x-auth-apikey is missing; x-auth-signature is missing': () => ({ apiKey: null, signature: null }),
  'x-auth-signature is missing': () => ({ signature: null }),
  'x-auth-signature is empty': () => ({ signature: '' }),
  'x-auth-apikey must be sent once': () => ({
    more: ['--header', `x-auth-apikey: ${service.key.apiKey}`],
  }),
  [`${base64} it is not Base64`]: () => ({ apiKey: '<API_KEY>' }),
  [`${base64} its PEM is damaged or has other text around it`]: () => ({
    apiKey: service.key.apiKey.slice(0, -24),
  }),
  [`${base64} it was encoded twice`]: () => ({
    apiKey: Buffer.from(service.key.apiKey).toString('base64'),
  }),
  [`${key} a public key: it is a private key, which must never be sent; replace the key, because it is no longer secret`]:
    () => ({ apiKey: readFileSync(service.key.file).toString('base64') }),
  [`${key} a secp256k1 key: it is on the curve P-256`]: () => ({
    apiKey: makeOpensslKey(folder, 'other', 'prime256v1').apiKey,
  }),
  [`${ecdsa} its 32 bytes look like an HMAC or a plain hash`]: () => ({
    signature: createHmac('sha256', 'secret').update('{}').digest('base64'),
  }),
  [`${ecdsa} it is hex`]: () => ({
    signature: Buffer.from(signWithOpenssl(service.key, '{}'), 'base64').toString('hex'),
  }),
  [`${ecdsa} it was encoded twice`]: () => ({
    signature: Buffer.from(signWithOpenssl(service.key, '{}')).toString('base64'),
  }),
  [`${ecdsa} it is not Base64`]: () => ({
    signature: signWithOpenssl(service.key, '{}').replace(/^.{64}/, '$& '),
  }),
  [`${ecdsa} its 65 bytes look like a wallet signature with a recovery byte`]: () => ({
    signature: Buffer.concat([Buffer.alloc(64, 1), Buffer.of(27)]).toString('base64'),
  }),
  [`${mismatch} {} (2 bytes, SHA-256 …); the empty string was signed instead`]: () => ({ payload: '' }),
  [`${mismatch} ${anyPayload}; {} was signed, which is correct only for a request without a query`]: () => ({
    path,
  }),
  [`${mismatch} ${anyPayload}; the query was signed with its question mark`]: () => ({
    path,
    payload: `?${query}`,
  }),
  [`${mismatch} ${anyPayload}; the query was signed decoded: sign it exactly as it stands in the URL`]:
    () => ({
      path: '/dapp/strains?search=a%20b',
      payload: 'search=a b',
    }),
  [`${mismatch} ${anyPayload}; the parameters of the query were signed in another order`]: () => ({
    path: '/dapp/strains?take=5&page=1',
    payload: 'page=1&take=5',
  }),
  [`${mismatch} ${anyPayload}; the query was signed as JSON with numbers: its values are strings`]: () => ({
    path,
    payload: '{"page":1}',
  }),
  [`${mismatch} ${anyPayload}; the path or the URL was signed, which is not part of the payload`]: () => ({
    path,
    payload: `/api/v1${path}`,
  }),
  [`${mismatch} ${anyPayload}; {} was signed, which is correct only for a request without a body`]: () =>
    order,
  [`${mismatch} ${anyPayload}; the query was signed, but for this method the body must be signed`]: () => ({
    ...order,
    path: `${order.path}?${query}`,
    payload: query,
  }),
  [`${mismatch} ${anyPayload}; other JSON than that of the body was signed: serialize it once, sign that text and send it`]:
    () => ({ ...order, payload: '{"clientId": "42"}' }),
  [`${mismatch} ${anyPayload}; it was hashed with SHA-512 instead of SHA-256`]: () => {
    const key = makeOpensslKey(folder, 'hashed');
    const signature = sign('sha512', Buffer.from('{}'), readFileSync(key.file)).toString('base64');
    return { apiKey: key.apiKey, signature };
  },
  [`${mismatch} ${anyPayload}; it was signed with a trailing line break`]: () => ({
    ...order,
    payload: `${body}\n`,
  }),
  [`${mismatch} ${anyPayload}; its SHA-256 was signed, so it was hashed twice`]: () => ({
    ...order,
    payload: createHash('sha256').update(body).digest(),
  }),
  [`${mismatch} ${anyPayload}; its SHA-256 in hex was signed, so it was hashed twice`]: () => ({
    ...order,
    payload: createHash('sha256').update(body).digest('hex'),
  }),
  [`${mismatch} ${anyPayload}`]: () => ({ ...order, payload: `${body} ` }),
  'the signature is valid, but its key is not known here or was revoked': () => {
    const unknown = makeOpensslKey(folder, 'unknown');
    return { apiKey: unknown.apiKey, signature: signWithOpenssl(unknown, '{}') };
  },
  'the key has expired at …': () => signWithNewKey('expires_at', '2026-01-01'),
  'this key is accepted only with signatures that are bound to their request (RFC 9421)': () =>
    signWithNewKey('signatures', 'bound'),
  'this route accepts only a JWT: sign in with the wallet and send Authorization: Bearer': () => ({
    path: '/keys',
  }),
};

describe('the reasons in the signing guide', () => {
  const [rows = []] = readTables(guide, 'Troubleshoot a 401');
  const reasons = rows.map(([reason = '']) => reason.replace(/^`(.*)`$/, '$1'));

  it('are each tested here', () => {
    expect(reasons).toEqual(Object.keys(mistakes));
  });

  it.each(rows)('are sent by the service: %s', async (quotedReason = '', quotedCode = '') => {
    const [reason = '', code] = [quotedReason, quotedCode].map((text) => text.replace(/^`(.*)`$/, '$1'));
    // A key of its own: the mistakes of a key are searched for once a second.
    const signer = reason.startsWith(mismatch) ? makeOpensslKey(folder, 'mistaken') : service.key;
    const answer = await send({ signer, ...(await mistakes[reason]?.()) });
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ code, reason: readReason(answer) });
    expect(readReason(answer)).toMatch(toPattern(reason));
    const message = reason.startsWith('this route') ? 'Unauthorized' : 'User is not authorized';
    expect(answer.json).toMatchObject({ success: false, message, data: null });
  });

  it('are not sent for a header with a line break, which is a 400', async () => {
    const signature = signWithOpenssl(service.key, '{}').replace(/^.{64}/, '$&\n');
    const answer = await send({ signature });
    expect(answer.json).toMatchObject({ statusCode: 400, message: 'The request is not valid HTTP' });
  });

  it('include the hash of the payload, and the guide verifies a signature without the service', async () => {
    const [hash, verify = ''] = readPrograms(guide, 'Compare the signed bytes', 'bash');
    const payload = 'search=lunar%20saffron';
    const refused = await send({ path: `/dapp/strains?${payload}`, payload: 'search=lunar+Saffron' });
    const shown = /SHA-256 ([0-9a-f]{64})/.exec(readReason(refused))?.[1];
    expect(shown).toBe(createHash('sha256').update(payload).digest('hex'));
    const bash = (program: string, signature: string) =>
      runProgram('bash', ['-c', program], folder, {
        ...service.variablesFor(service.key),
        payload,
        signature,
      });
    const right = signWithOpenssl(service.key, payload);
    expect((await bash(hash, right)).stdout).toContain(shown);
    expect((await bash(verify, right)).stdout).toBe('Verified OK\n');
    expect((await bash(verify, signWithOpenssl(service.key, 'other'))).code).toBe(1);
  });
});

describe('a key created as in the signing guide', () => {
  it('is registered, signs, and is revoked', { tags: ['long'] }, async () => {
    const [make = '', prove = '', register = ''] = readPrograms(guide, 'Create and store a key', 'bash');
    const [revoke] = readPrograms(guide, 'Revoke a key', 'bash');
    const settings = {
      KEYFRONT_URL: service.base,
      KEYFRONT_TOKEN: await service.signIn(service.ada),
      KEYFRONT_WALLET: service.ada.address,
    };
    const bash = (variables: Record<string, string>, ...programs: string[]) =>
      runProgram('bash', ['-c', programs.join('\n')], folder, { ...settings, ...variables });

    // A key of an earlier run, or of another guide.
    await writeFile(join(folder, 'storefront.pem'), 'an earlier key');
    const registered = readAnswers(await bash({}, make, prove, register));
    expect(readFileSync(join(folder, 'storefront.pem'), 'utf8')).toBe('an earlier key');
    const [file = ''] = readdirSync(folder).filter((name) => /^storefront-\d{8}-\d{6}\.pem$/.test(name));
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    // The same name again fails, and keeps the key.
    const again = await bash({}, `key_file=${file}`, make.split('\n')[1] ?? '');
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('cannot overwrite existing file'),
    ]);
    const [created] = registered.bodies as [{ data: { id: string; apiKey: string } }];
    expect(created).toMatchObject({ statusCode: 201, data: { keyName: 'My storefront', secretKey: null } });
    const own = service.variablesFor({ file: join(folder, file), apiKey: created.data.apiKey });
    expect(readAnswers(await bash(own, bashProgram)).statuses).toEqual([200, 200]);

    const revoked = readAnswers(await bash({ api_key_id: created.data.id }, revoke));
    expect(revoked.bodies).toMatchObject([
      { success: true, data: { revokedAt: expect.stringMatching(/^\d{4}-/) } },
    ]);
    expect(readAnswers(await bash(own, bashProgram)).statuses).toEqual([401, 401]);
  });
});
