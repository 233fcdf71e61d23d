import { describe, expect, it } from 'vitest';
import { chooseFormat } from './export-format.ts';

describe('chooseFormat', () => {
  it.each([
    ['orders.csv', 'csv'],
    ['/tmp/Orders.XLSX', 'xlsx'],
    ['a.b.json', 'json'],
  ])('infers the format from %s', (output, format) => {
    expect(chooseFormat(undefined, output)).toEqual({ format });
  });

  it.each([
    ['json', '-'],
    ['csv', 'orders'],
    ['csv', 'orders.csv'],
    ['xlsx', 'orders.tmp'],
  ] as const)('uses the explicit format %s for %s', (format, output) => {
    expect(chooseFormat(format, output)).toEqual({ format });
  });

  it('reports an extension of another format', () => {
    expect(chooseFormat('csv', 'orders.xlsx')).toEqual({
      format: 'csv',
      conflict: 'orders.xlsx will contain CSV despite its extension, because of --format csv',
    });
  });

  it.each([
    ['-', 'Select a format for standard output with --format csv|json|xlsx'],
    ['orders.txt', 'Cannot infer the format from "orders.txt"'],
    ['csv', 'Cannot infer the format from "csv"'],
    ['.csv', 'Cannot infer the format from ".csv"'],
  ])('requires a format for %s', (output, message) => {
    expect(() => chooseFormat(undefined, output)).toThrow(message);
  });
});
