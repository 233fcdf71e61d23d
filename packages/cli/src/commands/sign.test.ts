import { execFileSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { baseUrl, createHarness } from '../../test/cli-harness.ts';

/** The headers in the arguments of curl. */
function readHeaders(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/--header "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function isSigned(headers: Map<string, string>, payload: string): boolean {
  const key = createPublicKey(Buffer.from(headers.get('x-auth-apikey') ?? '', 'base64'));
  return verify(
    'sha256',
    Buffer.from(payload),
    key,
    Buffer.from(headers.get('x-auth-signature') ?? '', 'base64'),
  );
}

describe('keyfront sign', () => {
  it.each([
    [['GET', '/planets'], '{}'],
    [['get', '/dapp/strains?search=a%20b'], 'search=a%20b'],
    [['POST', '/dapp/orders', '-d', '{"clientId": "42"}'], '{"clientId": "42"}'],
    [['POST', '/dapp/orders'], '{}'],
  ])('prints the two headers of the simple form and sends nothing: %j', async (args, payload) => {
    const harness = createHarness();
    const { code, stdout, stderr } = await harness.run('sign', ...args, '--simple');
    expect([code, harness.requests]).toEqual([0, []]);
    expect(stderr).toBe('Simple signature: valid for as long as the API key. Keep it secret.\n');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    const headers = readHeaders(stdout);
    expect(headers.get('x-auth-apikey')).toBe(harness.context.env.KEYFRONT_API_KEY);
    expect(isSigned(headers, payload)).toBe(true);
  });

  it('prints a curl command with correct quoting and without the secret key', async () => {
    const harness = createHarness();
    const body = `{"note":"it's $HOME \`date\` \\\\"}`;
    const { stdout } = await harness.run(
      ...['sign', 'POST', '/dapp/orders?a=b', '-d', body, '--curl', '--simple'],
    );
    expect(stdout).not.toContain(harness.context.env.KEYFRONT_SECRET_KEY ?? '?');
    const words = execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${stdout}`], {
      encoding: 'utf8',
    });
    expect(words.split('\0').slice(0, -1)).toEqual([
      ...['--globoff', '--request', 'POST'],
      ...['--header', expect.stringMatching(/^x-auth-apikey: /)],
      ...['--header', expect.stringMatching(/^x-auth-signature: /)],
      ...['--header', 'content-type: application/json', '--data-binary', body],
      `${baseUrl}/dapp/orders?a=b`,
    ]);
    expect(isSigned(readHeaders(stdout), body)).toBe(true);
  });

  it.each([
    [['GET', '/dapp/strains?search=a%20b'], undefined],
    [['POST', '/dapp/orders', '-d', '{"clientId": "42"}'], '{"clientId": "42"}'],
    [['DELETE', '/webhooks/1'], undefined],
  ])('binds the signature to the request, and says so: %j', async (args, body) => {
    const harness = createHarness();
    const { code, stdout, stderr } = await harness.run('sign', ...args, '--curl');
    expect([code, harness.requests]).toEqual([0, []]);
    const often = args[0] === 'GET' ? '' : ', once';
    expect(stderr).toBe(
      `Bound signature: accepted for five minutes${often}, for ${args[0]} ${baseUrl}${args[1]} only. --simple prints one that is not bound.\n`,
    );
    const words = execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${stdout}`], {
      encoding: 'utf8',
    }).split('\0');
    const headers = new Map(
      words.flatMap((word, at) => (words[at - 1] === '--header' ? [word.split(/: (.*)/s)] : [])) as [
        string,
        string,
      ][],
    );
    const [method = '', path = ''] = args;
    const input = headers.get('signature-input') ?? '';
    const params = input.slice(input.indexOf('=') + 1);
    const digest = headers.get('content-digest');
    const base = [
      `"@method": ${method}`,
      `"@target-uri": ${baseUrl}${path}`,
      ...(body === undefined ? [] : [`"content-digest": ${digest}`]),
      `"@signature-params": ${params}`,
    ].join('\n');
    const [, signature = ''] = /^keyfront=:(.+):$/.exec(headers.get('signature') ?? '') ?? [];
    const key = createPublicKey(Buffer.from(harness.context.env.KEYFRONT_API_KEY ?? '', 'base64'));
    const bytes = Buffer.from(signature, 'base64');
    expect(verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true);
    expect(params.includes(';nonce="')).toBe(method !== 'GET');
    expect([headers.has('x-auth-signature'), words.includes(`${baseUrl}${path}`)]).toEqual([false, true]);
  });

  it('requires an API key and a known method', async () => {
    const withToken = createHarness({ env: { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: 'jwt' } });
    expect(await withToken.run('sign', 'GET', '/planets')).toMatchObject({
      code: 2,
      stderr: 'error: A token cannot sign requests. Use a profile with an API key.\n',
    });
    expect(await createHarness().run('sign', 'FETCH', '/planets')).toMatchObject({
      code: 2,
      stderr: 'error: Unknown method FETCH. Use one of GET, POST, PATCH, PUT, DELETE.\n',
    });
  });
});
