import { describe, expect, it } from 'vitest';
import { prefersContent } from './file-answer.ts';

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
