import { describe, expect, it } from 'vitest';
import { openWorld, success } from '../../test/world.ts';

const chart = {
  interval: 'day',
  startDate: '2026-11-13',
  endDate: '2026-11-15',
  currency: 'EUR',
  points: [
    { date: '2026-11-13', orders: 1, revenue: '999999999999.99' },
    { date: '2026-11-14', orders: 0, revenue: '0.00' },
    { date: '2026-11-15', orders: 2, revenue: '0.02' },
  ],
};

describe('keyfront chart', () => {
  it('is a table where there is no terminal', async () => {
    const { code, stdout } = await openWorld({ answer: () => success(chart) }).run('chart');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'DATE        ORDERS  REVENUE          CURRENCY',
      '2026-11-13  1       999999999999.99  EUR',
      '2026-11-14  0       0.00             EUR',
      '2026-11-15  2       0.02             EUR',
      '',
    ]);
  });

  it('is drawn on a terminal, no wider than that, with sums that are exact', async () => {
    const world = openWorld({ answer: () => success(chart), terminalWidth: 60 });
    const { stdout } = await world.run('chart');
    const [head = '', top = '', ...rest] = stdout.split('\n');
    expect(head).toContain('Orders by day, 2026-11-13 to 2026-11-15');
    expect(top).toBe('2 ┤            █████');
    expect(rest.slice(-5)).toEqual([
      '  │█████       █████',
      '0 └──────────────────',
      '   2026-11-13 2026-11-15',
      '3 orders, 1000000000000.01 EUR',
      '',
    ]);
    expect((await world.run('chart', '--revenue')).stdout).toContain('Revenue in EUR by day');
  });

  it('is drawn where nothing was ever ordered', async () => {
    const world = openWorld({
      answer: () => success({ ...chart, currency: null, points: [] }),
      terminalWidth: 60,
    });
    expect((await world.run('chart')).stdout).toContain('\n0 orders, 0.00\n');
  });

  it('is the data itself with --json', async () => {
    const { stdout } = await openWorld({ answer: () => success(chart) }).run('chart', '--json');
    expect(JSON.parse(stdout)).toEqual(chart);
  });

  it('asks for what its options say, and for nothing without them', async () => {
    const world = openWorld({ answer: () => success(chart) });
    await world.run('chart');
    await world.run(
      'chart',
      '--interval',
      'week',
      '--from',
      '2026-01-01',
      '--to',
      '2026-02-01',
      '--currency',
      'USD',
    );
    expect(world.requests.map(({ target }) => target)).toEqual([
      '/dapp/orders/chart-data',
      '/dapp/orders/chart-data?startDate=2026-01-01&endDate=2026-02-01&interval=week&currency=USD',
    ]);
  });
});
