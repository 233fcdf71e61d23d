import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  expectNoSecret,
  type Fate,
  openTerminal,
  readDocument,
  readPrograms,
  readSteps,
  runProgram,
  startLossyWay,
  toPattern,
} from '../support/guide-programs.ts';
import { type GuideService, guideClientId, startGuideService } from '../support/guide-service.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

const guide = readDocument('docs/guides/orders.md');

let service: GuideService;
/** For the files of one test. */
let folder: string;

beforeAll(async () => {
  service = await startGuideService();
});
afterAll(() => service.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the commands of the orders guide, and of the guide to payments', () => {
  it('print the documented output, with no secret in the process list', { timeout: 120_000 }, async () => {
    // The guide to payments continues in the same terminal.
    const steps = [...readSteps(guide), ...readSteps(readDocument('docs/guides/payments-and-kyc.md'))];
    await onDemoDatabase(async (settings) => {
      const started = startService(settings);
      await started.ready;
      const dataFolder = settings.KEYFRONT_DATA;
      const terminal = openTerminal(folder, dataFolder);

      const run = await terminal.run(steps.map(({ program }) => `${program}\nprintf '\\0'`).join('\n'));
      expect(run.stderr).toBe('');
      const printed = run.stdout.replaceAll('\r\n', '\n').split('\0');
      expect(printed.pop()).toBe('');
      expect(printed).toEqual(steps.map(({ output }) => expect.stringMatching(toPattern(output))));

      const [count] = /^\d+(?= orders$)/m.exec(printed.join('')) ?? [];
      const csv = readFileSync(join(terminal.cwd, 'orders.csv'), 'utf8');
      expect(csv.split('\r\n').length - 2).toBe(Number(count));
      expect(Number(count)).toBeGreaterThan(100);

      const demo = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      expectNoSecret(terminal.readCommands(), demo.holders[0].secretKey);
      expect(terminal.readCommands()).toMatch(/^curl .*--request PATCH .*\/admin\/orders/m);
      expect(terminal.readCommands()).not.toMatch(/bearer/i);
      expect(terminal.readCommands()).not.toContain(demo.admin.walletPrivateKey.slice(2));
      expect(readdirSync(terminal.cwd)).toEqual(['.keyfront', 'invoice.html', 'node_modules', 'orders.csv']);
      expect(readdirSync(terminal.temporary)).toEqual([]);
      await started.end();
    });
  });
});

describe('the retries of the orders guide', () => {
  const [functions] = readPrograms(guide, 'Sign requests as the storefront', 'bash');
  const [placeOrder] = readPrograms(guide, 'Retries done right', 'bash');

  /** Places an order over a way on which its attempts fare like this, one after the other, and later ones like the last. */
  async function orderOver(...fates: Fate[]) {
    const way = await startLossyWay(service.base, fates);
    try {
      const { KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey } = service.variablesFor(service.key);
      mkdirSync(join(folder, '.keyfront'));
      const demo = { baseUrl: way.url, holders: [{ apiKey, secretKey }] };
      await writeFile(join(folder, '.keyfront', 'demo.json'), JSON.stringify(demo));
      // Records the pauses instead of sleeping.
      const program = `sleep() { echo "$1" >&3; }\n${functions}\n${placeOrder}\nplace_order ${guideClientId} 3>pauses`;
      const run = await runProgram('bash', ['-c', `: >pauses\n${program}`], folder, {});
      const pauses = readFileSync(join(folder, 'pauses'), 'utf8').split('\n').slice(0, -1).map(Number);
      return { ...run, pauses, keys: way.readKeys() };
    } finally {
      await way.close();
    }
  }

  const countOrders = async () => {
    const [row] = await runSql<{ count: number }>(
      service.ownerUrl,
      'SELECT count(*)::int AS count FROM keyfront.orders WHERE client_id = $1',
      [guideClientId],
    );
    return row?.count ?? 0;
  };

  it('place one order when responses are lost and other errors occur in between', async () => {
    await service.fillCart();
    const before = await countOrders();
    const run = await orderOver(
      'answer is lost',
      { status: 503, retryAfter: '7' },
      { status: 409, retryAfter: '1' },
      { status: 429, retryAfter: '30' },
      { status: 502 },
      'arrives',
    );
    expect(run.code, run.stderr).toBe(0);
    const { data } = JSON.parse(run.stdout);
    expect(data).toMatchObject({ orderStatus: 'PENDING', client: { id: guideClientId } });
    expect(await countOrders()).toBe(before + 1);
    const [placed] = await runSql<{ id: string }>(
      service.ownerUrl,
      'SELECT id FROM keyfront.orders WHERE client_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [guideClientId],
    );
    expect(placed?.id).toBe(data.id);
    expect(run.keys).toHaveLength(6);
    expect(new Set(run.keys).size).toBe(1);
    const advices = [1, 7, 1, 30, 1];
    expect(run.pauses).toHaveLength(advices.length);
    for (const [index, advice] of advices.entries()) {
      expect(run.pauses[index]).toBeGreaterThanOrEqual(advice);
      expect(run.pauses[index]).toBeLessThan(advice + 2 ** (index + 1));
    }
  });

  it('use a new key for each order, and do not retry a rejected order', async () => {
    await service.fillCart();
    const first = await orderOver('arrives');
    expect(first.code, first.stderr).toBe(0);
    rmSync(join(folder, '.keyfront'), { recursive: true });
    const second = await orderOver('arrives');
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ statusCode: 403, message: 'Cart is empty' });
    expect([first.pauses, second.pauses]).toEqual([[], []]);
    expect(new Set([...first.keys, ...second.keys]).size).toBe(2);
  });

  it('give up after six attempts', async () => {
    const run = await orderOver({ status: 503, retryAfter: '2' });
    expect(run.code).toBe(1);
    expect([run.keys.length, run.pauses.length]).toEqual([6, 5]);
  });
});
