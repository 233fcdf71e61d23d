import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrderWithLines } from '@keyfront/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  approvalTransitions,
  orderTransitions,
  paymentTransitions,
} from '../packages/server/src/resources/transitions.ts';
import {
  expectNoSecret,
  type Fate,
  openTerminal,
  readCode,
  readDocument,
  readMoves,
  readPrograms,
  readSteps,
  readTables,
  runProgram,
  startLossyWay,
  toPattern,
} from './support/guide-programs.ts';
import { type GuideService, guideClientId, startGuideService } from './support/guide-service.ts';
import { onDemoDatabase, startService } from './support/service-process.ts';
import { listMoves, type TransitionTable } from './support/state-diagrams.ts';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';
import { insertCart, insertClient, insertStrain } from './support/storefront-data.ts';
import { runSql } from './support/test-database.ts';

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
      expect(readdirSync(terminal.cwd)).toEqual(['.keyfront', 'node_modules', 'orders.csv']);
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

describe('the state diagrams of the orders guide', () => {
  it.each<[string, TransitionTable]>([
    ['orderStatus', orderTransitions],
    ['paymentStatus', paymentTransitions],
    ['adminApproval', approvalTransitions],
  ])('show exactly the transitions of the state machine: %s', (field, table) => {
    expect(readMoves(guide, `\`${field}\``).sort()).toEqual(listMoves(table));
  });
});

describe('the tables of the orders guide', async () => {
  const { holder, sibling, admin, sql } = await openStorefront();
  const { tokenId } = holder;

  /** A client who may order, with these in the cart. */
  const clientWith = async (...items: (Parameters<typeof insertStrain>[1] & { quantity?: number })[]) => {
    const client = await insertClient(sql, tokenId);
    const cart: { strainId: string; quantity: number }[] = [];
    for (const { quantity = 4, ...strain } of items) {
      cart.push({ strainId: (await insertStrain(sql, strain)).id, quantity });
    }
    await insertCart(sql, tokenId, client.id, cart);
    return client;
  };
  const order = (client: { id: string }) =>
    holder.ask('POST', '/dapp/orders', { body: { clientId: client.id } });

  /** Each sentence with a client to whom it applies, and to whom a later one would apply too. */
  const refusals: Readonly<Record<string, () => Promise<{ id: string }>>> = {
    'Client belongs to another holder or digital key': () =>
      insertClient(sql, sibling.tokenId, { isActive: false }),
    'Client is not active': () =>
      insertClient(sql, tokenId, { isActive: false, isKycVerified: false, adminApproval: 'PENDING' }),
    'Client is not verified': () =>
      insertClient(sql, tokenId, { isKycVerified: false, adminApproval: 'PENDING' }),
    'Client is not approved': () => insertClient(sql, tokenId, { adminApproval: 'REJECTED' }),
    'Cart is empty': () => clientWith(),
    'The client has no address to ship to: street and country are needed': async () => {
      const client = await clientWith({ countryCodes: ['DEU'] });
      await sql(`UPDATE clients SET shipping_address1 = '' WHERE id = $1`, [client.id]);
      return client;
    },
    '… is not sold in …': () => clientWith({ isAvailable: false }, { countryCodes: ['DEU'] }),
    '… is not available': () => clientWith({ currency: 'USD', stock: 3 }, { isAvailable: false }),
    'The cart holds … and … is sold in …: order them one after the other': () =>
      clientWith({ stock: 3 }, { currency: 'USD' }),
    '… has only 3 left': () =>
      clientWith({ price: 9_999_999_999.99, stock: 1000, quantity: 1000 }, { stock: 3 }),
    'The order amounts to more than an invoice can hold': () =>
      clientWith({ price: 9_999_999_999.99, stock: 1000, quantity: 1000 }),
  };
  const [refusalRows = []] = readTables(guide, 'Why an order is refused');
  const sentences = refusalRows.flatMap(([sentence = '']) => readCode(sentence));

  it('name every error, in the order in which they are checked', () => {
    expect(sentences).toEqual(Object.keys(refusals));
  });

  it.each(sentences)('have the message of the service: %s', async (sentence) => {
    const reply = await order((await refusals[sentence]?.()) ?? { id: '' });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: expect.stringMatching(toPattern(sentence)),
    });
  });

  /** A new order of four of a strain that had ten. */
  const placeOrder = async () => {
    const { id, orderLines } = dataOf<OrderWithLines>(await order(await clientWith({ stock: 10 })));
    return {
      move: (change: object): Promise<Reply> => admin.ask('PATCH', `/admin/orders/${id}`, { body: change }),
      readStock: async () => {
        const [row] = await sql<{ stock: number }>(
          'SELECT stock_quantity AS stock FROM strain_locations WHERE strain_id = $1',
          [orderLines[0]?.strain.id],
        );
        return row?.stock;
      },
      readSale: async () => {
        const [sale] = await sql<{ stage: string }>('SELECT stage FROM sales WHERE order_id = $1', [id]);
        return sale?.stage;
      },
    };
  };

  /** Each row with the proof of what it says. */
  const consequences: Readonly<Record<string, () => Promise<void>>> = {
    '`adminApproval` becomes `REJECTED`': async () => {
      const pending = await placeOrder();
      expect(dataOf(await pending.move({ adminApproval: 'REJECTED', rejectionNote: 'No' }))).toMatchObject({
        orderStatus: 'CANCELLED',
        rejectionNote: 'No',
      });
      for (const orderStatus of ['SHIPPED', 'DELIVERED']) {
        const gone = await placeOrder();
        dataOf(await gone.move({ orderStatus }));
        expect((await gone.move({ adminApproval: 'REJECTED' })).status).toBe(403);
        expect((await gone.move({ orderStatus: 'CANCELLED' })).status).toBe(403);
      }
    },
    '`orderStatus` becomes `PROCESSING`, `SHIPPED` or `DELIVERED`': async () => {
      for (const orderStatus of ['PROCESSING', 'SHIPPED', 'DELIVERED']) {
        const { move } = await placeOrder();
        expect(dataOf(await move({ orderStatus }))).toMatchObject({ adminApproval: 'VERIFIED' });
      }
    },
    '`orderStatus` becomes `CANCELLED`': async () => {
      const { move, readStock } = await placeOrder();
      expect(await readStock()).toBe(6);
      dataOf(await move({ orderStatus: 'CANCELLED' }));
      expect(await readStock()).toBe(10);
      dataOf(await move({ orderStatus: 'CANCELLED' }));
      dataOf(await move({ adminApproval: 'REJECTED' }));
      expect(await readStock()).toBe(10);
    },
    '`orderStatus` becomes `DELIVERED` or `CANCELLED`': async () => {
      for (const orderStatus of ['DELIVERED', 'CANCELLED']) {
        const { move, readSale } = await placeOrder();
        expect(await readSale()).toBe('ONGOING');
        dataOf(await move({ orderStatus }));
        expect(await readSale()).toBe('CLOSED');
      }
    },
    '`paymentStatus` of a cancelled order changes': async () => {
      const unpaid = await placeOrder();
      dataOf(await unpaid.move({ orderStatus: 'CANCELLED' }));
      for (const paymentStatus of ['PROCESSING', 'PAID']) {
        const { message } = (await unpaid.move({ paymentStatus })).envelope;
        expect(guide).toContain(`A new payment cannot start: \`${message}\``);
      }
      const begun = await placeOrder();
      dataOf(await begun.move({ paymentStatus: 'PROCESSING' }));
      dataOf(await begun.move({ orderStatus: 'CANCELLED' }));
      dataOf(await begun.move({ paymentStatus: 'PAID' }));
      expect(dataOf(await begun.move({ paymentStatus: 'REFUNDED' }))).toMatchObject({
        orderStatus: 'CANCELLED',
        paymentStatus: 'REFUNDED',
      });
    },
  };
  const [consequenceRows = []] = readTables(guide, 'Side effects of a transition');
  const causes = consequenceRows.map(([cause = '']) => cause);

  it('name every consequence', () => {
    expect(causes).toEqual(Object.keys(consequences));
  });

  it.each(causes)('describe the consequence: %s', async (cause) => {
    expect.hasAssertions();
    await consequences[cause]?.();
  });
});
