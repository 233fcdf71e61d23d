import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeExportedOrder } from '../../../../test/support/exported-order.ts';
import {
  createHarness,
  failure,
  type HarnessOptions,
  type SentRequest,
  success,
} from '../../test/cli-harness.ts';

const orders = [makeExportedOrder(1), makeExportedOrder(2), makeExportedOrder(3)];
const csv = 'id,clientFirstName\r\n1,"two\r\nlines"\r\n2,Ada\r\n';
const now = new Date('2026-11-15T09:30:00.000Z');

function respond({ target, headers }: SentRequest): Response {
  if (headers.get('accept') === 'text/csv')
    return new Response(csv, { headers: { 'content-type': 'text/csv' } });
  const query = new URLSearchParams(target.split('?')[1]);
  const isLast = query.get('cursor') === 'next';
  const pageMetaDto = { itemCount: 3, pageCount: 2, nextCursor: isLast ? null : 'next' };
  return success({ orders: isLast ? orders.slice(2) : orders.slice(0, 2), pageMetaDto });
}

const queryOf = (request: SentRequest | undefined) =>
  Object.fromEntries(new URLSearchParams(request?.target.split('?')[1]));

/** Runs an export to a file of this name in the folder of the harness. */
async function exportTo(name: string, args: string[] = [], options: HarnessOptions = {}) {
  const harness = createHarness({ respond, now, ...options });
  const file = join(harness.folder, name);
  const result = await harness.run('orders', 'export', '-o', file, ...args);
  return { ...result, file, files: readdirSync(harness.folder), requests: harness.requests };
}

describe('keyfront orders export', () => {
  it('writes the CSV file of the service byte by byte, and says what it wrote on stderr', async () => {
    const { code, stdout, stderr, file, files } = await exportTo('orders.csv');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`Wrote 2 orders to ${file} (${csv.length} bytes in 0.0 s).\n`);
    expect(readFileSync(file, 'utf8')).toBe(csv);
    expect(files).toEqual(['orders.csv']);
  });

  it('writes all pages as a JSON array to standard output', async () => {
    const harness = createHarness({ respond, now });
    const { code, stdout, stderr } = await harness.run('orders', 'export', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(orders);
    expect(stderr).toBe(
      `Wrote 3 orders to standard output (${(stdout.length / 1000).toFixed(1)} kB in 0.0 s).\n`,
    );
    expect(harness.requests).toHaveLength(2);
  });

  it('writes a workbook', async () => {
    const { code, stderr, file } = await exportTo('orders.xlsx');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Wrote 3 orders to ${file} (`)]);
    expect(readFileSync(file).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  });

  it('lets an explicit format win over the extension, with a warning', async () => {
    const { code, stderr, file } = await exportTo('orders.xlsx', ['--format', 'csv']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `warning: ${file} will contain CSV despite its extension, because of --format csv\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe(csv);
  });

  it('prints nothing with --quiet', async () => {
    const { stdout, stderr } = await exportTo('orders.json', ['--quiet'], { terminalWidth: 80 });
    expect([stdout, stderr]).toEqual(['', '']);
  });

  it('sends every filter', async () => {
    const { requests } = await exportTo('orders.csv', [
      ...['--from', '2026-11-01', '--to', '2026-11-30', '--status', 'SHIPPED', '--payment', 'PAID'],
      ...['--approval', 'VERIFIED', '--search', 'a & b', '--search-by', 'email'],
      ...['--order-by', 'totalAmount:asc'],
    ]);
    expect(queryOf(requests[0])).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      status: 'SHIPPED',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
      search: 'a & b',
      searchBy: 'email',
      orderBy: 'totalAmount:asc',
    });
  });

  it('keeps the existing file if the download fails', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('id,')),
      pull: (controller) => controller.error(new Error('cut')),
    });
    const harness = createHarness({
      respond: () => new Response(broken, { headers: { 'content-type': 'text/csv' } }),
    });
    const file = join(harness.folder, 'orders.csv');
    writeFileSync(file, 'from yesterday');
    const { code, stderr } = await harness.run('orders', 'export', '-o', file);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^error: .+\n$/)]);
    expect(readFileSync(file, 'utf8')).toBe('from yesterday');
    expect(readdirSync(harness.folder)).toEqual(['orders.csv']);
  });

  it.each(['csv', 'json', 'xlsx'])('names the rejected flag and leaves no %s file', async (extension) => {
    const { code, stdout, stderr, files } = await exportTo(`orders.${extension}`, ['--from', 'x'], {
      respond: () =>
        failure(400, 'Validation failed', { data: ['startDate must be a valid ISO 8601 date string'] }),
    });
    expect([code, stdout, stderr]).toEqual([4, '', 'error: --from must be a valid ISO 8601 date string\n']);
    expect(files).toEqual([]);
  });

  it('names every flag of a rule that is about two of them', async () => {
    const data = ['endDate must not be before startDate', 'search must not be a status'];
    const { stderr } = await exportTo('orders.csv', ['--from', '2026-11-10', '--to', '2026-11-01'], {
      respond: () => failure(400, 'Validation failed', { data }),
    });
    expect(stderr).toBe('error: --to must not be before --from; --search must not be a status\n');
  });

  it('names the given file if it cannot be written', async () => {
    const harness = createHarness({ respond: () => success({}) });
    const file = join(harness.folder, 'missing', 'orders.csv');
    expect(await harness.run('orders', 'export', '-o', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${file}: no such file or directory\n`,
    });
    expect(await harness.run('orders', 'export', '--csv', '-o', harness.folder)).toMatchObject({
      code: 1,
      stderr: `error: ${harness.folder}: is a directory\n`,
    });
  });

  it.each(['csv', 'json', 'xlsx'])('leaves no %s file if it is interrupted', async (extension) => {
    const harness = createHarness({
      respond: (request) => {
        harness.interrupt();
        return respond(request);
      },
    });
    const file = join(harness.folder, `orders.${extension}`);
    expect(await harness.run('orders', 'export', '-o', file)).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(readdirSync(harness.folder)).toEqual([]);
  });

  it('writes to the target of a link', async () => {
    const harness = createHarness({ respond });
    const [file, link] = [join(harness.folder, 'a.csv'), join(harness.folder, 'b.csv')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    expect((await harness.run('orders', 'export', '-o', link)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(csv);
  });

  it.each(['json', 'xlsx'])('shows progress on a terminal while it writes %s', async (extension) => {
    const { stdout, stderr, requests, file } = await exportTo(`orders.${extension}`, [], {
      terminalWidth: 80,
    });
    expect(stdout).toBe('');
    expect(stderr).toContain(' 66%  2 of 3 orders');
    expect(stderr).toContain('100%  3 of 3 orders');
    const [, summary = ''] = stderr.split('\r\u001b[K');
    expect(summary).toMatch(`Wrote 3 orders to ${file}`);
    expect(queryOf(requests[0])).toMatchObject({ take: '1', page: '1' });
  });

  it.each([
    [[], 'Select a format for standard output with --format csv|json|xlsx'],
    [['-o', 'x'], 'Cannot infer the format from "x"'],
    [['--csv', '--xlsx', '-o', 'x'], 'Select one format, not csv and xlsx'],
    [['--format', 'json', '--xlsx', '-o', 'x'], 'Select one format, not json and xlsx'],
    [['--format', 'pdf', '-o', 'x'], 'Allowed choices are csv, json, xlsx.'],
    [['--csv', '-o', 'x', '--status', 'LOST'], 'Allowed choices are PENDING'],
    [['--csv', '-o', 'x', '--order-by', 'color'], 'Allowed choices are asc, desc'],
  ])('reports invalid usage: %j', async (args, message) => {
    const { code, stderr } = await createHarness().run('orders', 'export', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('does not write a workbook to a terminal', async () => {
    const { code, stderr } = await createHarness({ terminalWidth: 80 }).run('orders', 'export', '--xlsx');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be shown on a terminal')]);
  });
});
