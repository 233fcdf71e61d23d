import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scaled } from '../../../test/support/scale.ts';
import { acceptedPayloads, type RequestToSign, signedPayload } from './canonical-payload.ts';

const noQuery = { query: null, body: null };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function forms(request: RequestToSign): string[] {
  return [...acceptedPayloads(request)].map((form) => new TextDecoder().decode(form));
}

describe('body methods', () => {
  it.each(['POST', 'PATCH', 'PUT', 'post'])('%s: the bytes as received, then the compact JSON', (method) => {
    const body = bytes('{ "b": 1,\n "a": "\\u00e9" }');
    expect(forms({ method, query: 'x=1', body })).toEqual([
      '{ "b": 1,\n "a": "\\u00e9" }',
      '{"b":1,"a":"é"}',
    ]);
  });

  it('has one form where the body is compact already', () => {
    expect(forms({ method: 'POST', query: null, body: bytes('{"a":"é"}') })).toEqual(['{"a":"é"}']);
  });

  it.each([null, new Uint8Array()])('is {} without a body', (body) => {
    expect(forms({ method: 'POST', query: null, body })).toEqual(['{}']);
  });

  it('is never the text that a bound signature covers', () => {
    for (const body of [
      '"@method": POST\n"@signature-params": ("@method")',
      '"a": b\n"@signature-params": ("a")',
    ]) {
      expect(forms({ method: 'POST', query: null, body: bytes(body) })).toEqual([]);
    }
    expect(forms({ method: 'POST', query: null, body: bytes('"text"') })).toEqual(['"text"']);
  });

  it('does not take path parameters instead of a body', () => {
    expect(forms({ method: 'PATCH', ...noQuery, pathParameters: { id: '1' } })).toEqual(['{}']);
  });

  it.each(['{"a":', 'text', ' ', '{"a":1}x'])('has only the bytes %j where they are not JSON', (body) => {
    expect(forms({ method: 'POST', query: null, body: bytes(body) })).toEqual([body]);
  });

  it('has only the bytes where they are not UTF-8', () => {
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x20, 0x31, 0x7d]);
    expect([...acceptedPayloads({ method: 'POST', query: null, body })]).toEqual([body]);
  });

  it('does not write an infinite number as null', () => {
    for (const body of ['{"a": 1e999}', '[ -1e999 ]', `[ ${'9'.repeat(400)} ]`]) {
      expect(forms({ method: 'POST', query: null, body: bytes(body) })).toEqual([body]);
    }
    expect(forms({ method: 'POST', query: null, body: bytes('{"a": null}') })).toEqual([
      '{"a": null}',
      '{"a":null}',
    ]);
  });

  it('survives nesting without end', () => {
    const body = `${'['.repeat(400_000)} ${']'.repeat(400_000)}`;
    expect(forms({ method: 'POST', query: null, body: bytes(body) })).toHaveLength(1);
  });
});

describe('GET, HEAD and DELETE', () => {
  it.each(['GET', 'HEAD', 'DELETE'])(
    '%s: the query as received, then form-encoded in the same order, then as JSON',
    (method) => {
      expect(forms({ method, query: 'z=a%20b&a=%7e&y', body: null })).toEqual([
        'z=a%20b&a=%7e&y',
        'z=a+b&a=%7E&y=',
        '{"z":"a b","a":"~","y":""}',
      ]);
      expect(forms({ method, query: 'page=1&take=10', body: null })).toEqual([
        'page=1&take=10',
        '{"page":"1","take":"10"}',
      ]);
    },
  );

  it('keeps the order of the parameters as JSON, also that of numbers and of names of JavaScript', () => {
    expect(forms({ method: 'GET', query: 'b=1&10=2&9=3&__proto__=4', body: null }).at(-1)).toBe(
      '{"b":"1","10":"2","9":"3","__proto__":"4"}',
    );
  });

  it.each(['a=1&a=2', 'a=%ff', '%ff=a', '&', 'a=%ed%a0%80'])(
    'has no JSON form for %s, which would not contain all of it',
    (query) => {
      for (const form of forms({ method: 'GET', query, body: null })) expect(form).not.toMatch(/^\{/);
    },
  );

  it.each([null, ''])('is {} without a query (%j), then the path parameters', (query) => {
    expect(forms({ method: 'GET', query, body: null })).toEqual(['{}']);
    expect(forms({ method: 'GET', query, body: null, pathParameters: {} })).toEqual(['{}']);
    const pathParameters = { orderId: '7', part: 'a"b' };
    expect(forms({ method: 'GET', query, body: null, pathParameters })).toEqual([
      '{}',
      '{"orderId":"7","part":"a\\"b"}',
    ]);
  });

  it('leaves the path parameters out where there is a query', () => {
    expect(forms({ method: 'GET', query: 'a=1', body: null, pathParameters: { id: '1' } })).toEqual([
      'a=1',
      '{"a":"1"}',
    ]);
  });

  it('keeps a question mark that belongs to the query', () => {
    expect(forms({ method: 'GET', query: '?a=1', body: null })).toEqual(['?a=1', '%3Fa=1', '{"?a":"1"}']);
  });

  it('never takes {} or nothing for a query', () => {
    expect(forms({ method: 'GET', query: '{}', body: null })).toEqual(['%7B%7D=', '{"{}":""}']);
    expect(forms({ method: 'GET', query: '&', body: null })).toEqual(['&']);
    expect(forms({ method: 'DELETE', query: 'a=1', body: bytes('{}') })).toEqual(['a=1', '{"a":"1"}']);
    expect(forms({ method: 'DELETE', query: 'a=1', body: bytes('{ }') })).toEqual(['a=1', '{"a":"1"}']);
  });

  it('ignores the body of a GET', () => {
    expect(forms({ method: 'GET', query: null, body: bytes('{"a":1}') })).toEqual(['{}']);
  });

  it('takes the JSON body of a DELETE after the others', () => {
    const body = bytes('{ "a": 1 }');
    expect(forms({ method: 'DELETE', query: null, body, pathParameters: { id: '1' } })).toEqual([
      '{}',
      '{"id":"1"}',
      '{ "a": 1 }',
      '{"a":1}',
    ]);
    expect(forms({ method: 'DELETE', query: 'b=%20', body })).toEqual([
      'b=%20',
      'b=+',
      '{ "a": 1 }',
      '{"a":1}',
      '{"b":" "}',
    ]);
    expect(forms({ method: 'DELETE', query: 'a=1', body: bytes('{ "a": "1" }') })).toEqual([
      'a=1',
      '{ "a": "1" }',
      '{"a":"1"}',
    ]);
    expect(forms({ method: 'DELETE', query: null, body: bytes('text') })).toEqual(['{}']);
    expect(forms({ method: 'DELETE', query: null, body: bytes('{}') })).toEqual(['{}']);
  });
});

describe('any request', () => {
  const anyRequest = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'DELETE', 'POST', 'PATCH', 'PUT'),
    query: fc.oneof(
      fc.constantFrom(null, '', '{}', '&', '?', '=', '%', '+'),
      fc.webQueryParameters(),
      fc.string({ unit: 'grapheme-ascii' }),
    ),
    body: fc.oneof(
      fc.constantFrom(null, bytes(''), bytes('{}'), bytes('{ }'), bytes('null'), bytes(' ')),
      fc.json().map(bytes),
      fc.jsonValue().map((value) => bytes(JSON.stringify(value, null, 2))),
      fc.uint8Array(),
    ),
    pathParameters: fc.dictionary(fc.string(), fc.string()),
  });
  const runs = { numRuns: scaled(400) };

  it('has at least one form, none of them empty and none twice', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const all = [...acceptedPayloads(request)].map(String);
        expect(all.length).toBeGreaterThan(0);
        expect(all.length).toBeLessThanOrEqual(5);
        expect(all).not.toContain('');
        expect(new Set(all).size).toBe(all.length);
      }),
      runs,
    );
  });

  it('signs the first form', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const [first] = acceptedPayloads(request);
        expect(signedPayload(request)).toEqual(first);
      }),
      runs,
    );
  });

  it('never has {} among the forms of a query', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        fc.pre(['GET', 'HEAD', 'DELETE'].includes(request.method) && Boolean(request.query));
        expect(forms(request)).not.toContain('{}');
      }),
      runs,
    );
  });

  it('has the same JSON form for two queries only if they have the same parameters in the same order', () => {
    const jsonOf = (query: string) =>
      forms({ method: 'GET', query, body: null })
        .slice(1)
        .find((form) => form.startsWith('{'));
    const parametersOf = (query: string) => [...new URLSearchParams(`?${query}`)];
    // Few characters, so that many pairs are nearly the same.
    const anyQuery = fc.string({
      unit: fc.constantFrom('a', 'b', '=', '&', '+', '%20', '%22', '%3A', '%', '"'),
      minLength: 1,
    });
    fc.assert(
      fc.property(anyQuery, anyQuery, (one, other) => {
        const json = jsonOf(one);
        if (json === undefined) return;
        expect(Object.entries(JSON.parse(json))).toEqual(parametersOf(one));
        if (json === jsonOf(other)) expect(parametersOf(other)).toEqual(parametersOf(one));
      }),
      runs,
    );
  });

  it('begins with what was received', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const isBodyMethod = ['POST', 'PATCH', 'PUT'].includes(request.method);
        const received = isBodyMethod ? request.body : bytes(request.query ?? '');
        fc.pre(request.query !== '{}');
        expect(signedPayload(request)).toEqual(received?.length ? received : bytes('{}'));
      }),
      runs,
    );
  });
});

describe('laziness', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('parses nothing before the second form is asked for', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const search = vi.spyOn(URLSearchParams.prototype, 'toString');
    acceptedPayloads({ method: 'POST', query: null, body: bytes('{ "a": 1 }') }).next();
    acceptedPayloads({ method: 'GET', query: 'a=%20', body: null }).next();
    signedPayload({ method: 'POST', query: null, body: bytes('{ "a": 1 }') });
    expect(parse).not.toHaveBeenCalled();
    expect(search).not.toHaveBeenCalled();
  });
});
