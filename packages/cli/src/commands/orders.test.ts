import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure, makeOrder, openWorld, type SentRequest, success } from '../../test/world.ts';

const orders = [makeOrder(1), makeOrder(2), makeOrder(3)];
const csv = 'id,invoiceNumber\r\n1,KF-1\r\n';

function answer({ target, headers }: SentRequest): Response {
  if (headers.get('accept') === 'text/csv')
    return new Response(csv, { headers: { 'content-type': 'text/csv' } });
  const query = new URLSearchParams(target.split('?')[1]);
  const isLast = query.get('cursor') === 'next';
  const pageMetaDto = { itemCount: 3, nextCursor: isLast ? null : 'next' };
  return success({ orders: isLast ? orders.slice(2) : orders.slice(0, 2), pageMetaDto });
}

const queryOf = (request: SentRequest | undefined) =>
  Object.fromEntries(new URLSearchParams(request?.target.split('?')[1]));

describe('keyfront orders export', () => {
  it('writes the file of the service as it comes', async () => {
    const world = openWorld({ answer });
    const file = join(world.folder, 'orders.csv');
    expect(await world.run('orders', 'export', '--csv', '-o', file)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toBe(csv);
    expect(readdirSync(world.folder)).toEqual(['orders.csv']);
  });

  it('writes all pages as a JSON array, and to the standard output with -', async () => {
    const world = openWorld({ answer });
    const { code, stdout } = await world.run('orders', 'export', '--json', '-o', '-');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(orders);
    expect(world.requests).toHaveLength(2);
  });

  it('writes a workbook', async () => {
    const world = openWorld({ answer });
    const file = join(world.folder, 'orders.xlsx');
    expect((await world.run('orders', 'export', '--xlsx', '-o', file)).code).toBe(0);
    expect(readFileSync(file).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  });

  it('hands every filter on', async () => {
    const world = openWorld({ answer });
    const filters = [
      ...['--from', '2026-11-01', '--to', '2026-11-30', '--status', 'SHIPPED', '--payment', 'COMPLETED'],
      ...[
        '--approval',
        'VERIFIED',
        '--search',
        'a & b',
        '--search-by',
        'email',
        '--order-by',
        'totalAmount:asc',
      ],
    ];
    await world.run('orders', 'export', '--csv', '-o', '-', ...filters);
    expect(queryOf(world.requests[0])).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      status: 'SHIPPED',
      paymentStatus: 'COMPLETED',
      adminApproval: 'VERIFIED',
      search: 'a & b',
      searchBy: 'email',
      orderBy: 'totalAmount:asc',
    });
  });

  it('leaves what was there before as it is when the download breaks off', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('id,')),
      pull: (controller) => controller.error(new Error('cut')),
    });
    const world = openWorld({
      answer: () => new Response(broken, { headers: { 'content-type': 'text/csv' } }),
    });
    const file = join(world.folder, 'orders.csv');
    writeFileSync(file, 'of yesterday');
    const { code, stderr } = await world.run('orders', 'export', '--csv', '-o', file);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^error: .+\n$/)]);
    expect(readFileSync(file, 'utf8')).toBe('of yesterday');
    expect(readdirSync(world.folder)).toEqual(['orders.csv']);
  });

  it('leaves no file behind when it is refused or interrupted', async () => {
    const refused = openWorld({
      answer: () => failure(400, 'Validation failed', { data: ['orderBy is odd'] }),
    });
    const file = join(refused.folder, 'orders.json');
    const result = await refused.run('orders', 'export', '--json', '--order-by', 'x', '-o', file);
    expect(result).toEqual({ code: 4, stdout: '', stderr: 'error: orderBy is odd\n' });
    expect(readdirSync(refused.folder)).toEqual([]);

    const interrupted = openWorld({
      answer: (request) => {
        interrupted.interrupt();
        return answer(request);
      },
    });
    const target = join(interrupted.folder, 'orders.json');
    expect(await interrupted.run('orders', 'export', '--json', '-o', target)).toEqual({
      code: 130,
      stdout: '',
      stderr: '',
    });
    expect(readdirSync(interrupted.folder)).toEqual([]);
  });

  it('writes where a link points, and leaves the link', async () => {
    const world = openWorld({ answer });
    const [file, link] = [join(world.folder, 'a.csv'), join(world.folder, 'b.csv')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    expect((await world.run('orders', 'export', '--csv', '-o', link)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(csv);
  });

  it('shows a bar on a terminal and takes it away', async () => {
    const world = openWorld({ answer, terminalWidth: 80 });
    const { stderr } = await world.run('orders', 'export', '--json', '-o', join(world.folder, 'x'));
    expect(stderr).toContain(' 66 %  2 of 3 orders');
    expect(stderr).toContain('100 %  3 of 3 orders');
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect(queryOf(world.requests[0])).toMatchObject({ take: '1', page: '1' });
  });

  it.each([
    [['--csv'], "required option '-o, --output <file>' not specified"],
    [['-o', 'x'], 'Take one of --csv, --json and --xlsx'],
    [['--csv', '--xlsx', '-o', 'x'], 'Take one of --csv, --json and --xlsx'],
    [['--csv', '-o', 'x', '--status', 'LOST'], 'Allowed choices are PENDING'],
  ])('says what it needs: %j', async (args, sentence) => {
    const { code, stderr } = await openWorld().run('orders', 'export', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('does not fill a terminal with a workbook', async () => {
    const { code, stderr } = await openWorld({ terminalWidth: 80 }).run(
      'orders',
      'export',
      '--xlsx',
      '-o',
      '-',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing for a terminal')]);
  });
});
