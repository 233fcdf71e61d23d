import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type FileResponse, prefersContent, sendFile } from './file-response.ts';

describe('a file in place of JSON', () => {
  it.each([
    'text/csv',
    'TEXT/CSV',
    ' text/csv ',
    'text/csv; charset=utf-8',
    'text/csv;q=0.1',
    'text/csv; header=present; q=0.5',
    'text/csv, application/json',
    'application/json, text/csv',
    'application/json;q=0.9, text/csv',
    'text/csv, */*;q=0.8',
    'text/html, text/csv;q=0.9, */*;q=0.1',
    'application/json;q=0.5, text/csv;q=0.5',
    'application/json;q=0, text/csv;q=0.001',
    'text/csv;q=0.1, text/csv;q=0.9, application/json;q=0.5',
  ])('is what %j asks for', (accept) => {
    expect(prefersContent(accept, 'text/csv')).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/json, text/csv;q=0.9',
    'application/json;q=0.6, text/csv;q=0.5',
    'text/csv;q=0',
    'text/csv;q=0.000',
    'text/csv;q=.',
    'text/csvx',
    'text/csv-schema',
    'application/text/csv',
    'csv',
    ',,;q=1,',
  ])('is not what %j asks for', (accept) => {
    expect(prefersContent(accept, 'text/csv')).toBe(false);
  });
});

describe('a file that is sent', () => {
  /** Notes what was made of it. */
  function setUp(make: () => AsyncGenerator<string>) {
    const made: string[] = [];
    const app = fastify();
    app.get('/', (_request, reply) => {
      const file: FileResponse = {
        contentType: 'text/csv',
        fileName: 'some.csv',
        chunks: (async function* () {
          made.push('begun');
          try {
            yield* make();
          } finally {
            made.push('ended');
          }
        })(),
      };
      return sendFile(reply, file);
    });
    return { app, made };
  }

  it('comes whole, with its name, and is let go at its end', async () => {
    const { app, made } = setUp(async function* () {
      yield 'a\r\n';
      yield 'b\r\n';
    });
    const { body, headers } = await app.inject('/');
    expect([body, headers['content-disposition']]).toEqual(['a\r\nb\r\n', 'attachment; filename="some.csv"']);
    expect(made).toEqual(['begun', 'ended']);
  });

  it('is not made for whoever asks for its headers alone', async () => {
    const { app, made } = setUp(async function* () {
      yield 'a';
    });
    const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv']);
    expect(made).toEqual([]);
  });

  it('that fails before its first piece is an error like any other, and no attachment', async () => {
    const { app } = setUp(async function* () {
      yield* [];
      throw new Error('no rows');
    });
    const { statusCode, headers } = await app.inject('/');
    expect([statusCode, headers['content-disposition']]).toEqual([500, undefined]);
  });
});
