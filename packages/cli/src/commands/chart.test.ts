import { describe, expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const chart = {
  interval: 'day',
  startDate: '2026-11-13',
  endDate: '2026-11-15',
  currency: 'EUR',
  points: [
    { date: '2026-11-13', orders: 1, revenue: 999_999_999_999.99 },
    { date: '2026-11-14', orders: 0, revenue: 0 },
    { date: '2026-11-15', orders: 2, revenue: 0.02 },
  ],
};

describe('keyfront chart', () => {
  it('prints a table if the output is not a terminal', async () => {
    const { code, stdout } = await createHarness({ respond: () => success(chart) }).run('chart');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'DATE        ORDERS  REVENUE          CURRENCY',
      '2026-11-13  1       999999999999.99  EUR',
      '2026-11-14  0       0.00             EUR',
      '2026-11-15  2       0.02             EUR',
      '',
    ]);
  });

  it('draws a chart within the width of the terminal, with exact sums', async () => {
    const harness = createHarness({ respond: () => success(chart), terminalWidth: 60 });
    const { stdout } = await harness.run('chart');
    const [head = '', top = '', ...rest] = stdout.split('\n');
    expect(head).toContain('Orders per day, 2026-11-13 to 2026-11-15');
    expect(top).toBe('2 ┤            █████');
    expect(rest.slice(-5)).toEqual([
      '  │█████       █████',
      '0 └──────────────────',
      '   2026-11-13 2026-11-15',
      '3 orders, 1000000000000.01 EUR',
      '',
    ]);
    expect((await harness.run('chart', '--revenue')).stdout).toContain('Revenue in EUR per day');
  });

  it('draws an empty chart', async () => {
    const harness = createHarness({
      respond: () => success({ ...chart, currency: null, points: [] }),
      terminalWidth: 60,
    });
    expect((await harness.run('chart')).stdout).toContain('\n0 orders, 0.00\n');
  });

  it('prints JSON', async () => {
    const { stdout } = await createHarness({ respond: () => success(chart) }).run('chart', '--json');
    expect(JSON.parse(stdout)).toEqual(chart);
  });

  it('sends only the parameters that are given', async () => {
    const harness = createHarness({ respond: () => success(chart) });
    await harness.run('chart');
    await harness.run(
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
    expect(harness.requests.map(({ target }) => target)).toEqual([
      '/dapp/orders/chart-data',
      '/dapp/orders/chart-data?startDate=2026-01-01&endDate=2026-02-01&interval=week&currency=USD',
    ]);
  });

  it('names the flag of a value that the service rejects', async () => {
    const data = ['startDate must be a valid ISO 8601 date string', 'interval yields more than 1000 points'];
    const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data }) });
    expect(await harness.run('chart', '--from', 'x')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'error: --from must be a valid ISO 8601 date string; --interval yields more than 1000 points\n',
    });
  });

  it('knows the intervals of the API', async () => {
    const { code, stderr } = await createHarness().run('chart', '--interval', 'year');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are day, week, month.')]);
  });
});
