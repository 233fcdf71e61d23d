import { describe, expect, it } from 'vitest';
import { prepareRequest, type RequestToPrepare } from './prepare-request.ts';

const base = 'https://shop.example/api/v1';

function prepare(request: RequestToPrepare) {
  const { payload, body, ...rest } = prepareRequest(base, request);
  const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);
  return { ...rest, body: text(body), payload: text(payload) };
}

describe('the signed payload', () => {
  it('is {} without a query and a body', () => {
    const expected = { url: `${base}/planets`, query: null, body: null, payload: '{}' };
    expect(prepare({ method: 'get', path: '/planets' })).toEqual({ method: 'GET', ...expected });
    expect(prepare({ method: 'GET', path: 'planets', query: {} })).toMatchObject(expected);
    expect(prepare({ method: 'POST', path: '/planets' })).toMatchObject(expected);
  });

  it('is the query as the URL has it', () => {
    expect(
      prepare({ method: 'GET', path: '/dapp/strains', query: { search: `it's "a" b`, take: 5 } }),
    ).toMatchObject({
      url: `${base}/dapp/strains?search=it%27s%20%22a%22%20b&take=5`,
      payload: 'search=it%27s%20%22a%22%20b&take=5',
    });
  });

  it.each(["a='", 'a="', 'a=é', 'a=<>', 'a=a b', 'a=+', 'a=%', 'a=\u{1f331}', 'a=\ud800', '{}'])(
    'is what the URL makes of the query %j',
    (query) => {
      const { url, payload } = prepare({ method: 'DELETE', path: '/dapp/carts/1', query });
      expect(url).toBe(new URL(url).href);
      expect(payload).toBe(query === '{}' ? '%7B%7D=' : new URL(url).search.slice(1));
    },
  );

  it('is the query of the path followed by the other query', () => {
    expect(prepare({ method: 'GET', path: '/dapp/strains?take=5', query: { page: 2 } }).payload).toBe(
      'take=5&page=2',
    );
    expect(prepare({ method: 'GET', path: '/dapp/strains?take=5' }).payload).toBe('take=5');
  });

  it('is the body of a POST byte for byte, not its query', () => {
    const body = { name: 'é', note: '\ud800', left: undefined };
    expect(prepare({ method: 'POST', path: '/dapp/clients', query: { a: 1 }, body })).toMatchObject({
      url: `${base}/dapp/clients?a=1`,
      body: '{"name":"é","note":"\\ud800"}',
      payload: '{"name":"é","note":"\\ud800"}',
    });
  });

  it('is a string or bytes unchanged', () => {
    const text = '{ "a": 1 }\n';
    expect(prepare({ method: 'PATCH', path: '/x', body: text }).payload).toBe(text);
    expect(prepare({ method: 'PATCH', path: '/x', body: new TextEncoder().encode(text) }).payload).toBe(text);
  });
});

it('drops the fragment', () => {
  expect(prepare({ method: 'GET', path: '/planets#end' }).url).toBe(`${base}/planets`);
});

it.each([
  '//evil.example/x',
  '@evil.example',
  '/../../../..//evil.example',
  '\\\\evil.example',
  'https://evil.example',
])('stays on the origin of the service for the path %j', (path) => {
  expect(new URL(prepare({ method: 'GET', path }).url).origin).toBe('https://shop.example');
});
