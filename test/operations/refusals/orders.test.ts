import type { ErrorCode, Order, OrderPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostileOrderQueries, hostilePages, hostileTokenIds } from '../../support/hostile-requests.ts';
import { insertOrder, insertReadyClient } from '../../support/order-data.ts';
import { dataOf, issuesOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, admin } = await openStorefront();

describe('createOrder, 400', async () => {
  const { holder, sql } = await openStorefront();

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown): Promise<unknown> {
    return issuesOf(await holder.ask('POST', '/dapp/orders', { body }));
  }

  it.each([
    [{}, 'clientId is required'],
    [undefined, 'clientId is required'],
    [{ clientId: null }, 'clientId must be a string'],
    [{ clientId: 7 }, 'clientId must be a string'],
    [{ clientId: true }, 'clientId must be a string'],
    [{ clientId: [unknownId] }, 'clientId must be a string'],
    [{ clientId: { id: unknownId } }, 'clientId must be a string'],
    [{ clientId: '' }, 'clientId should not be empty'],
    [{ clientId: 'x' }, 'clientId must be a UUID'],
    [{ clientId: ` ${unknownId}` }, 'clientId must be a UUID'],
    [{ clientId: unknownId.slice(1) }, 'clientId must be a UUID'],
    [{ clientId: `${unknownId}' OR true --` }, 'clientId must be a UUID'],
    [{ clientId: 'a'.repeat(10_000) }, 'clientId must be a UUID'],
  ])('rejects %j', async (body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it.each([
    ['text that is no JSON', '{"clientId":', 'body must be valid JSON'],
    ['an array', `["${unknownId}"]`, 'body must be an object'],
    ['a text', `"${unknownId}"`, 'body must be an object'],
    ['null', 'null', 'body must be an object'],
    ['a NUL', `{"clientId":"${unknownId}\\u0000"}`, 'clientId must not contain NUL or unpaired surrogates'],
    [
      'half a surrogate pair',
      '{"clientId":"\\ud800"}',
      'clientId must not contain NUL or unpaired surrogates',
    ],
    [
      '__proto__',
      `{"clientId":"${unknownId}","__proto__":{"clientId":"x"}}`,
      'body must not contain the name __proto__',
    ],
    [
      'a name that stands twice',
      `{"clientId":"${unknownId}","clientId":"${unknownId}"}`,
      'body must not contain the name "clientId" twice',
    ],
    [
      'nesting without end',
      `{"clientId":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'body must not be nested deeper than 32 levels',
    ],
  ])('rejects %s', async (_what, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it('rejects bytes that are not UTF-8', async () => {
    expect(await listIssues(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual(['body must be UTF-8']);
  });

  it('created no order in the tests above', async () => {
    expect(await sql('SELECT FROM orders WHERE token_id = $1', [holder.tokenId])).toEqual([]);
  });
});

describe('createOrder, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();
  const { tokenId } = holder;

  /** Everything that an order would change, of one digital key. */
  const stateOf = async (token: number, strainIds: readonly string[]) => ({
    stock: await sql(
      'SELECT strain_id, stock_quantity FROM strain_locations WHERE strain_id = ANY ($1) ORDER BY 1',
      [strainIds],
    ),
    cart: await sql('SELECT * FROM cart_items WHERE token_id = $1 ORDER BY cart_id, strain_id', [token]),
    orders: await sql('SELECT * FROM orders WHERE token_id = $1', [token]),
    lines: await sql('SELECT * FROM order_lines WHERE token_id = $1', [token]),
    history: await sql('SELECT * FROM order_history WHERE token_id = $1', [token]),
    sales: await sql('SELECT * FROM sales WHERE token_id = $1 ORDER BY id', [token]),
    counters: await sql('SELECT * FROM order_counters WHERE token_id = $1', [token]),
    changes: await sql('SELECT * FROM order_counter_changes WHERE token_id = $1', [token]),
  });

  const codes: readonly [ErrorCode, RegExp][] = [
    ['CLIENT_NOT_ACTIVE', /^Client is not active$/],
    ['CLIENT_NOT_VERIFIED', /^Client is not verified$/],
    ['CLIENT_NOT_APPROVED', /^Client is not approved$/],
    ['CART_EMPTY', /^Cart is empty$/],
    ['STRAIN_NOT_AVAILABLE', / is not available$/],
    ['CURRENCY_MISMATCH', /^The cart holds /],
    ['STOCK_TOO_LOW', / has only \d+ left$/],
    ['ORDER_TOO_LARGE', /more than an invoice can hold$/],
    ['NOT_OWNED', /belongs to another/],
    ['HOLDER_REQUIRED', /^This is for holders/],
  ];

  /** Places an order and expects this refusal, and that nothing has changed. */
  async function expectRefusal(
    clientId: string,
    message: string,
    { caller = holder, strainIds = [] }: { caller?: TestCaller; strainIds?: string[] } = {},
  ): Promise<void> {
    const before = await stateOf(tokenId, strainIds);
    const reply = await caller.ask('POST', '/dapp/orders', { body: { clientId } });
    expect(reply.status).toBe(403);
    const [code] = codes.find(([, pattern]) => pattern.test(message)) ?? [];
    expect(reply.envelope).toEqual({ success: false, statusCode: 403, code, message, data: null });
    expect(await stateOf(tokenId, strainIds)).toEqual(before);
  }

  describe('rejects the order, and changes nothing, if', () => {
    it.each([
      ['the client is not active', { isActive: false }, 'Client is not active'],
      ['KYC has not verified the client', { isKycVerified: false }, 'Client is not verified'],
      ['nobody has approved the client yet', { adminApproval: 'PENDING' }, 'Client is not approved'],
      ['the client was rejected', { adminApproval: 'REJECTED' }, 'Client is not approved'],
    ])('%s', async (_when, columns, message) => {
      const { id } = await insertClient(sql, tokenId, columns);
      const strain = await insertStrain(sql);
      await insertCart(sql, tokenId, id, [{ strainId: strain.id, quantity: 1 }]);
      await expectRefusal(id, message, { strainIds: [strain.id] });
    });

    it('the cart is missing or empty', async () => {
      const { id } = await insertClient(sql, tokenId);
      await expectRefusal(id, 'Cart is empty');
      await insertCart(sql, tokenId, id, []);
      await expectRefusal(id, 'Cart is empty');
    });

    it('a strain is not available', async () => {
      const { id } = await insertClient(sql, tokenId);
      const [good, gone] = [await insertStrain(sql), await insertStrain(sql, { isAvailable: false })];
      await insertCart(sql, tokenId, id, [
        { strainId: good.id, quantity: 1 },
        { strainId: gone.id, quantity: 1 },
      ]);
      await expectRefusal(id, `${gone.name} is not available`, { strainIds: [good.id, gone.id] });
    });

    it('the cart holds two currencies', async () => {
      const { id } = await insertClient(sql, tokenId);
      const [first, second] = [await insertStrain(sql), await insertStrain(sql, { currency: 'USD' })];
      await insertCart(sql, tokenId, id, [
        { strainId: first.id, quantity: 1 },
        { strainId: second.id, quantity: 1 },
      ]);
      await expectRefusal(
        id,
        `The cart holds EUR and ${second.name} is sold in USD: order them one after the other`,
        { strainIds: [first.id, second.id] },
      );
    });

    it.each([0, 1, 3])('only %d are left', async (stock) => {
      const { id } = await insertClient(sql, tokenId);
      const [good, short] = [await insertStrain(sql), await insertStrain(sql, { stock })];
      await insertCart(sql, tokenId, id, [
        { strainId: good.id, quantity: 1 },
        { strainId: short.id, quantity: stock + 1 },
      ]);
      await expectRefusal(id, `${short.name} has only ${stock} left`, { strainIds: [good.id, short.id] });
    });

    it('the total exceeds the maximum by one cent', async () => {
      const { id } = await insertClient(sql, tokenId);
      const dear = await insertStrain(sql, { price: 9_999_999_999.99, stock: 1000 });
      const cheap = await insertStrain(sql, { price: 1.01, stock: 1000 });
      const cart = await insertCart(sql, tokenId, id, [
        { strainId: dear.id, quantity: 100 },
        { strainId: cheap.id, quantity: 1 },
      ]);
      const strainIds = [dear.id, cheap.id];
      await expectRefusal(id, 'The order amounts to more than an invoice can hold', { strainIds });
      await sql('UPDATE strains SET retail_price = 0.99 WHERE id = $1', [cheap.id]);
      const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
      expect(reply.envelope).toMatchObject({ statusCode: 201, data: { totalAmount: 999_999_999_999.99 } });
      expect(await sql('SELECT FROM cart_items WHERE cart_id = $1', [cart])).toEqual([]);
    });
  });

  it('checks preconditions in a fixed order', async () => {
    const { id } = await insertClient(sql, tokenId, {
      isActive: false,
      isKycVerified: false,
      adminApproval: 'REJECTED',
    });
    const gone = await insertStrain(sql, { isAvailable: false, stock: 0, price: 9_999_999_999.99 });
    const foreign = await insertStrain(sql, { currency: 'USD', stock: 2 });
    const strainIds = [gone.id, foreign.id];
    const change = (table: string, set: string, subject: string) => () =>
      sql(`UPDATE ${table} SET ${set} WHERE id = $1`, [subject]);
    const changeStock = (stock: number, strainId: string) => () =>
      sql('UPDATE strain_locations SET stock_quantity = $2 WHERE strain_id = $1', [strainId, stock]);
    const steps: [string, () => Promise<unknown>][] = [
      ['Client is not active', change('clients', 'is_active = true', id)],
      ['Client is not verified', change('clients', 'is_kyc_verified = true', id)],
      ['Client is not approved', change('clients', `admin_approval = 'VERIFIED'`, id)],
      [
        'Cart is empty',
        () =>
          insertCart(sql, tokenId, id, [
            { strainId: gone.id, quantity: 1000 },
            { strainId: foreign.id, quantity: 3 },
          ]),
      ],
      [`${gone.name} is not available`, change('strains', 'is_available = true', gone.id)],
      [
        `The cart holds EUR and ${foreign.name} is sold in USD: order them one after the other`,
        change('strains', `currency = 'EUR'`, foreign.id),
      ],
      [`${gone.name} has only 0 left`, changeStock(1000, gone.id)],
      [`${foreign.name} has only 2 left`, changeStock(3, foreign.id)],
      ['The order amounts to more than an invoice can hold', change('strains', 'retail_price = 1', gone.id)],
    ];
    for (const [message, repair] of steps) {
      await expectRefusal(id, message, { strainIds });
      await repair();
    }
    const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
    expect(reply.envelope).toMatchObject({ statusCode: 201, data: { totalAmount: 1030 } });
  });

  describe('rejects callers without access to the client:', () => {
    it('another holder, and another digital key of the same holder', async () => {
      const { clientId, strainId } = await insertReadyClient(sql, tokenId);
      for (const caller of [stranger, stranger.signedIn, sibling]) {
        await expectRefusal(clientId, 'Client belongs to another holder or digital key', {
          caller,
          strainIds: [strainId],
        });
      }
      for (const other of [stranger, sibling]) {
        expect(await sql('SELECT FROM orders WHERE token_id = $1', [other.tokenId])).toEqual([]);
      }
    });

    it('before it checks the client or its cart', async () => {
      const { id } = await insertClient(sql, tokenId, { isActive: false });
      await expectRefusal(id, 'Client belongs to another holder or digital key', { caller: stranger });
    });

    it('an administrator, who has no digital key', async () => {
      const { clientId, strainId } = await insertReadyClient(sql, tokenId);
      await expectRefusal(clientId, 'This is for holders of a digital key: sign in as one', {
        caller: admin,
        strainIds: [strainId],
      });
    });
  });
});

describe('createOrder, 404', () => {
  it('returns 404 for an unknown client', async () => {
    for (const caller of [holder, holder.signedIn]) {
      const reply = await caller.ask('POST', '/dapp/orders', { body: { clientId: unknownId } });
      expect(reply.status).toBe(404);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 404,
        code: 'RESOURCE_NOT_FOUND',
        message: 'Client not found',
        data: null,
      });
    }
  });
});

describe('exportOrders, 400', async () => {
  const { holder, admin, sql } = await openStorefront();

  const required = [
    'orderBy',
    'startDate',
    'endDate',
    'search',
    'searchBy',
    'status',
    'paymentStatus',
    'adminApproval',
  ];
  const nothingAsked = Object.fromEntries(required.map((name) => [name, '']));
  const file = { headers: { accept: 'text/csv' } };

  /** Expects that both the page and the file are refused with these issues, in the envelope. */
  async function expectRefusal(query: string, issues: string[]): Promise<void> {
    for (const caller of [holder, admin]) {
      for (const kind of [{}, file]) {
        const reply = await caller.ask('GET', `/orders/export${query}`, kind);
        expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
        expect(reply.headers.get('content-disposition')).toBeNull();
        expect(reply.envelope).toEqual({
          success: false,
          statusCode: 400,
          code: 'VALIDATION_FAILED',
          message: 'Validation failed',
          data: issues,
        });
      }
    }
  }

  describe('the eight parameters', () => {
    it.each(required)('must be there, even if empty: %s', async (missing) => {
      const rest = required.filter((name) => name !== missing).map((name) => `${name}=`);
      await expectRefusal(`?${rest.join('&')}`, [`${missing} is required`]);
    });

    it('are all named when all of them are missing', async () => {
      const issues = required.map((name) => `${name} is required`);
      await expectRefusal('', issues);
      await expectRefusal('?page=1&take=10', issues);
    });
  });

  const sorts =
    'orderBy must be one of the following values: asc, desc, createdAt, createdAt:asc, createdAt:desc, updatedAt, ' +
    'updatedAt:asc, updatedAt:desc, totalAmount, totalAmount:asc, totalAmount:desc, invoiceNumber, ' +
    'invoiceNumber:asc, invoiceNumber:desc';
  const places = 'searchBy must be one of the following values: clientName, email, invoiceNumber';
  const statuses =
    'status must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
  const payments =
    'paymentStatus must be one of the following values: PENDING, PROCESSING, PAID, FAILED, REFUNDED, COMPLETED';
  const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
  const startDate = 'startDate must be a valid ISO 8601 date string';
  const endDate = 'endDate must be a valid ISO 8601 date string';

  describe('a value', () => {
    it.each([
      ['orderBy', 'ASC', sorts],
      ['orderBy', 'createdAt:down', sorts],
      ['orderBy', 'createdAt,id', sorts],
      ['orderBy', 'id; DROP TABLE orders', sorts],
      ['orderBy', '__proto__', sorts],
      ['searchBy', 'name', places],
      ['searchBy', 'clientname', places],
      ['searchBy', '\0', places],
      ['status', 'pending', statuses],
      ['status', 'REFUNDED', statuses],
      ['paymentStatus', 'SHIPPED', payments],
      ['adminApproval', 'APPROVED', approvals],
      ['search', 'a'.repeat(201), 'search must be shorter than or equal to 200 characters'],
      ['search', 'a\0b', 'search must not contain NUL or unpaired surrogates'],
      ['startDate', 'x', startDate],
      ['startDate', '2026-02-30', startDate],
      ['startDate', '2026-13-01', startDate],
      ['startDate', '2026-2-1', startDate],
      ['startDate', '0000-01-01', startDate],
      ['startDate', ' ', startDate],
      ['startDate', '2026-03-01T25:00:00Z', startDate],
      ['endDate', '2026-02-29', endDate],
      ['endDate', '10000-01-01', endDate],
      ['endDate', '2026-03-01T00:00:00+99:00', endDate],
      ['endDate', '1767225600000', endDate],
      ['endDate', '\0', endDate],
    ])('of %s that is %j is refused', async (name, value, issue) => {
      await expectRefusal(`?${new URLSearchParams({ ...nothingAsked, [name]: value })}`, [issue]);
    });

    it('that stands twice is refused', async () => {
      const query = new URLSearchParams(nothingAsked);
      await expectRefusal(`?${query}&search=a&search=b`, ['search must not be given more than once']);
      await expectRefusal(`?${query}&status=PENDING&status=SHIPPED`, [
        'status must not be given more than once',
      ]);
    });

    it('is named together with all others that are wrong', async () => {
      const query = { orderBy: 'x', startDate: 'x', endDate: 'x', search: 'a'.repeat(201), searchBy: 'x' };
      const states = { status: 'x', paymentStatus: 'x', adminApproval: 'x' };
      await expectRefusal(`?${new URLSearchParams({ ...query, ...states })}`, [
        sorts,
        startDate,
        endDate,
        'search must be shorter than or equal to 200 characters',
        places,
        statuses,
        payments,
        approvals,
      ]);
    });
  });

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.000Z'],
    ['2026-03-02T00:00:00Z', '2026-03-01'],
    ['2026-03-01T00:00:00+01:00', '2026-02-27'],
  ])('an end before its start is refused: from %s to %s', async (start, end) => {
    const query = new URLSearchParams({ ...nothingAsked, startDate: start, endDate: end });
    await expectRefusal(`?${query}`, ['endDate must not be before startDate']);
  });

  describe('an invalid paging value', () => {
    it.each<readonly [string, string]>([
      ...hostilePages,
      [`cursor=${'a'.repeat(501)}`, 'cursor must be shorter than or equal to 500 characters'],
      ['cursor=garbage', 'cursor must be a nextCursor of this list'],
      ['cursor=%00', 'cursor must not contain NUL or unpaired surrogates'],
      ['cursor=e30', 'cursor must be a nextCursor of this list'],
      ['page=-3', 'page must not be less than 1'],
    ])('is rejected for a page and for a file: %s', async (part, issue) => {
      await expectRefusal(`?${new URLSearchParams(nothingAsked)}&${part}`, [issue]);
    });
  });

  describe('a cursor', () => {
    const ask = (query: Record<string, string>) =>
      holder.ask('GET', `/orders/export?${new URLSearchParams({ ...nothingAsked, take: '1', ...query })}`);

    it('of another order is refused, and so is one that was tampered with', async () => {
      const client = await insertClient(sql, holder.tokenId);
      await insertOrder(sql, holder.tokenId, client.id);
      await insertOrder(sql, holder.tokenId, client.id);
      for (const orderBy of ['', 'asc', 'updatedAt', 'totalAmount:desc', 'invoiceNumber']) {
        const { nextCursor } = dataOf<OrderPage>(await ask({ orderBy })).pageMetaDto;
        const cursor = nextCursor ?? '';
        expect((await ask({ orderBy, cursor })).status).toBe(200);
        const other = await ask({ orderBy: 'invoiceNumber:desc', cursor });
        expect(other.envelope).toMatchObject({
          statusCode: 400,
          data: ['cursor belongs to another orderBy'],
        });
        for (const tampered of [
          cursor.slice(0, -4),
          cursor.slice(4),
          `x${cursor}`,
          cursor.replace(/.{8}$/, ''),
        ]) {
          const reply = await ask({ orderBy, cursor: tampered });
          expect(reply.envelope).toMatchObject({
            statusCode: 400,
            data: ['cursor must be a nextCursor of this list'],
          });
        }
      }
    });

    it('that somebody made up is refused where the database would fail', async () => {
      const id = '019a8f3e-7c00-7000-8000-00000000dead';
      const places: [orderBy: string, parts: unknown[]][] = [
        ['desc', [0, 'desc', '2026-01-01T00:00:00.000+23:00', id]],
        ['desc', [0, 'desc', '2026-02-30T00:00:00.000Z', id]],
        ['desc', [0, 'desc', 'infinity', id]],
        ['totalAmount', [2, 'asc', 'NaN', id]],
        ['totalAmount', [2, 'asc', '1e400', id]],
        ['invoiceNumber', [3, 'asc', 'a\0', id]],
        ['invoiceNumber', [3, 'asc', 'a', `${id}'`]],
      ];
      for (const [orderBy, parts] of places) {
        const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
        const reply = await ask({ orderBy, cursor });
        expect(reply.envelope, JSON.stringify(parts)).toMatchObject({
          statusCode: 400,
          data: ['cursor must be a nextCursor of this list'],
        });
      }
    });
  });
});

describe('getOrder, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  const client = await insertClient(sql, holder.tokenId);
  const id = await insertOrder(sql, holder.tokenId, client.id);

  it('rejects another holder and another digital key of the same holder, and reveals nothing about the order', async () => {
    for (const caller of [stranger, stranger.signedIn, sibling]) {
      const reply = await caller.ask('GET', `/dapp/orders/${id}`);
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'Order belongs to another holder or digital key',
        data: null,
      });
    }
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('GET', `/dapp/orders/${id}`);
    expect(reply.status).toBe(403);
    expect(reply.envelope).toMatchObject({
      message: 'This is for holders of a digital key: sign in as one',
      data: null,
    });
  });
});

describe('getOrderChart, 400', () => {
  const startDate = 'startDate must be a valid ISO 8601 date string';
  const endDate = 'endDate must be a valid ISO 8601 date string';
  const interval = 'interval must be one of the following values: day, week, month';
  const currency = 'currency must be an ISO 4217 currency code';
  const tooMany = 'startDate must be later, or the interval longer: a chart has at most 1000 points';
  const order = 'endDate must not be before startDate';

  it.each<[string, string[]]>([
    ['startDate=x', [startDate]],
    ['startDate=2026-02-30', [startDate]],
    ['startDate=2026-13-01', [startDate]],
    ['startDate=0000-01-01', [startDate]],
    ['startDate=%00', [startDate]],
    ['startDate=2026-01-01&startDate=2026-01-02', ['startDate must not be given more than once']],
    ['endDate=2027-02-29', [endDate]],
    ['endDate=10000-01-01', [endDate]],
    ['endDate=2026-01-01T24:01', [endDate]],
    ['interval=hour', [interval]],
    ['interval=DAY', [interval]],
    ['interval=day&interval=week', ['interval must not be given more than once']],
    ['interval=__proto__', [interval]],
    ['currency=eur', [currency]],
    ['currency=EURO', [currency]],
    ['currency=EURO00', [currency]],
    ['currency=%00', [currency]],
    ['currency=EUR%0A', [currency]],
    ['startDate=2026-03-02&endDate=2026-03-01', [order]],
    ['startDate=9999-12-31', [order]],
    ['startDate=2024-01-01&endDate=2026-09-27', [tooMany]],
    ['startDate=0001-01-01', [tooMany]],
    ['startDate=2000-01-01&endDate=2025-01-01&interval=week', [tooMany]],
    ['startDate=1900-01-01&endDate=2000-01-01&interval=month', [tooMany]],
    ['startDate=x&endDate=y&interval=z&currency=1', [startDate, endDate, interval, currency]],
  ])('rejects %s', async (query, issues) => {
    const reply = await holder.ask('GET', `/dapp/orders/chart-data?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });
});

describe('getOrderHistory, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  const client = await insertClient(sql, holder.tokenId);
  const id = await insertOrder(sql, holder.tokenId, client.id);

  it('rejects another holder and another digital key of the same holder, and reveals nothing about the order', async () => {
    for (const caller of [stranger, stranger.signedIn, sibling]) {
      const reply = await caller.ask('GET', `/dapp/orders/${id}/history`);
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'Order belongs to another holder or digital key',
        data: null,
      });
    }
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('GET', `/dapp/orders/${id}/history`);
    expect(reply.status).toBe(403);
    expect(reply.envelope).toMatchObject({
      message: 'This is for holders of a digital key: sign in as one',
      data: null,
    });
  });
});

describe('listOrders, 400', () => {
  it.each(hostileOrderQueries)('rejects %s', async (query, issues) => {
    const reply = await holder.ask('GET', `/dapp/orders?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });
});

describe('listAdminOrders, 400', () => {
  it.each([
    ...hostileOrderQueries,
    ...hostileTokenIds.map(([tokenId, issue]) => [`tokenId=${tokenId}`, [issue]] as const),
  ])('rejects %s', async (query, issues) => {
    const reply = await admin.ask('GET', `/admin/orders?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });
});

describe('updateAdminOrder, 400', async () => {
  const { holder, admin, sql } = await openStorefront();

  const client = await insertClient(sql, holder.tokenId);
  const id = await insertOrder(sql, holder.tokenId, client.id);
  const asItWas = await sql('SELECT * FROM orders WHERE id = $1', [id]);

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown, orderId = id): Promise<unknown> {
    return issuesOf(await admin.ask('PATCH', `/admin/orders/${orderId}`, { body }));
  }

  const nothing =
    'body must have at least one of the fields adminApproval, orderStatus, paymentStatus, rejectionNote';
  const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
  const statuses =
    'orderStatus must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
  const payments =
    'paymentStatus must be one of the following values: PENDING, PROCESSING, PAID, FAILED, REFUNDED';

  it.each([
    [{}, [nothing]],
    [undefined, [nothing]],
    [{ status: 'CANCELLED', totalAmount: 0 }, ['status should not exist', 'totalAmount should not exist']],
    [{ adminApproval: 'verified' }, [approvals]],
    [{ adminApproval: '' }, [approvals]],
    [{ adminApproval: {} }, [approvals]],
    [{ orderStatus: 'REFUNDED' }, [statuses]],
    [{ orderStatus: ['CANCELLED'] }, [statuses]],
    [{ orderStatus: 0 }, [statuses]],
    [{ paymentStatus: 'CANCELLED' }, [payments]],
    [{ paymentStatus: '' }, [payments]],
    [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
    [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
    [{ rejectionNote: 'a'.repeat(1001) }, ['rejectionNote must be shorter than or equal to 1000 characters']],
    [
      { adminApproval: 'x', orderStatus: 'x', paymentStatus: 'x', rejectionNote: 0 },
      [approvals, statuses, payments, 'rejectionNote must be a string'],
    ],
  ])('rejects %j', async (body, issues) => {
    expect(await listIssues(body)).toEqual(issues);
  });

  it.each([
    ['text that is no JSON', '{"orderStatus":', 'body must be valid JSON'],
    ['an array', '["CANCELLED"]', 'body must be an object'],
    ['a NUL', '{"rejectionNote":"A\\u0000"}', 'rejectionNote must not contain NUL or unpaired surrogates'],
    [
      'half a surrogate pair',
      '{"rejectionNote":"\\ud800"}',
      'rejectionNote must not contain NUL or unpaired surrogates',
    ],
    ['__proto__', '{"__proto__":{"orderStatus":"CANCELLED"}}', 'body must not contain the name __proto__'],
    [
      'a name that stands twice',
      '{"orderStatus":"CANCELLED","orderStatus":"SHIPPED"}',
      'body must not contain the name "orderStatus" twice',
    ],
    [
      'nesting without end',
      `{"orderStatus":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'body must not be nested deeper than 32 levels',
    ],
  ])('rejects %s', async (_what, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it('rejects an invalid UUID, and validates the body before it looks up the order', async () => {
    for (const orderId of ['7', '%00', `${unknownId}x`]) {
      expect(await listIssues({ orderStatus: 'CANCELLED' }, orderId)).toEqual(['orderId must be a UUID']);
    }
    expect(await listIssues({ orderStatus: 'x' }, '7')).toEqual(['orderId must be a UUID', statuses]);
    expect(await listIssues({}, unknownId)).toEqual([nothing]);
  });

  it('changed nothing in the tests above', async () => {
    expect(await sql('SELECT * FROM orders WHERE id = $1', [id])).toEqual(asItWas);
    expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
  });
});

describe('updateAdminOrder, 403', async () => {
  const { holder, admin, sql } = await openStorefront();
  const client = await insertClient(sql, holder.tokenId);

  type State = Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;
  const state = (
    orderStatus: State['orderStatus'],
    paymentStatus: State['paymentStatus'],
    adminApproval: State['adminApproval'],
  ): State => ({ orderStatus, paymentStatus, adminApproval });
  const fresh = state('PENDING', 'PENDING', 'PENDING');

  /** All that a move could have touched. */
  const tracesOf = async (id: string) => ({
    order: await sql('SELECT * FROM orders WHERE id = $1', [id]),
    history: await sql('SELECT * FROM order_history WHERE order_id = $1', [id]),
    audit: await sql('SELECT * FROM audit WHERE subject_id = $1', [id]),
  });

  const noNote = 'Only a rejected order has a rejection note';

  it.each<[State, object, string]>([
    [
      state('PROCESSING', 'PENDING', 'VERIFIED'),
      { orderStatus: 'PENDING' },
      'An order that is PROCESSING cannot become PENDING',
    ],
    [
      state('SHIPPED', 'PENDING', 'VERIFIED'),
      { orderStatus: 'PROCESSING' },
      'An order that is SHIPPED cannot become PROCESSING',
    ],
    [
      state('SHIPPED', 'PENDING', 'VERIFIED'),
      { orderStatus: 'CANCELLED' },
      'An order that is SHIPPED cannot become CANCELLED',
    ],
    [
      state('SHIPPED', 'PENDING', 'VERIFIED'),
      { adminApproval: 'REJECTED' },
      'An order that is SHIPPED cannot become CANCELLED',
    ],
    [
      state('DELIVERED', 'PAID', 'VERIFIED'),
      { orderStatus: 'CANCELLED' },
      'An order that is DELIVERED cannot become CANCELLED',
    ],
    [
      state('DELIVERED', 'PAID', 'VERIFIED'),
      { adminApproval: 'REJECTED', rejectionNote: 'x' },
      'An order that is DELIVERED cannot become CANCELLED',
    ],
    [
      state('CANCELLED', 'PENDING', 'PENDING'),
      { orderStatus: 'PENDING' },
      'An order that is CANCELLED cannot become PENDING',
    ],
    [
      state('CANCELLED', 'PENDING', 'PENDING'),
      { orderStatus: 'PROCESSING' },
      'An order that is CANCELLED cannot become PROCESSING',
    ],
    [fresh, { paymentStatus: 'REFUNDED' }, 'A payment that is PENDING cannot become REFUNDED'],
    [
      state('PENDING', 'PROCESSING', 'PENDING'),
      { paymentStatus: 'PENDING' },
      'A payment that is PROCESSING cannot become PENDING',
    ],
    [
      state('PENDING', 'PAID', 'PENDING'),
      { paymentStatus: 'FAILED' },
      'A payment that is PAID cannot become FAILED',
    ],
    [
      state('PENDING', 'FAILED', 'PENDING'),
      { paymentStatus: 'PAID' },
      'A payment that is FAILED cannot become PAID',
    ],
    [
      state('PENDING', 'REFUNDED', 'PENDING'),
      { paymentStatus: 'PAID' },
      'A payment that is REFUNDED cannot become PAID',
    ],
    [
      state('PENDING', 'PENDING', 'VERIFIED'),
      { adminApproval: 'PENDING' },
      'An approval that is VERIFIED cannot become PENDING',
    ],
    [
      state('CANCELLED', 'PENDING', 'REJECTED'),
      { adminApproval: 'VERIFIED' },
      'A cancelled order cannot be decided',
    ],
    [
      state('CANCELLED', 'PENDING', 'PENDING'),
      { adminApproval: 'REJECTED', rejectionNote: 'Because.' },
      'A cancelled order cannot be decided',
    ],
    [fresh, { orderStatus: 'PROCESSING' }, 'An order whose approval is PENDING cannot be PROCESSING'],
    [fresh, { orderStatus: 'DELIVERED' }, 'An order whose approval is PENDING cannot be DELIVERED'],
    [
      fresh,
      { orderStatus: 'SHIPPED', adminApproval: 'PENDING' },
      'An order whose approval is PENDING cannot be SHIPPED',
    ],
    [
      fresh,
      { orderStatus: 'SHIPPED', adminApproval: 'REJECTED' },
      'An order whose approval is REJECTED cannot be SHIPPED',
    ],
    [
      fresh,
      { orderStatus: 'CANCELLED', paymentStatus: 'PROCESSING' },
      'A cancelled order is not paid for any more',
    ],
    [
      state('CANCELLED', 'PENDING', 'PENDING'),
      { paymentStatus: 'PROCESSING' },
      'A cancelled order is not paid for any more',
    ],
    [fresh, { rejectionNote: 'Because.' }, noNote],
    [fresh, { orderStatus: 'CANCELLED', rejectionNote: 'Because.' }, noNote],
    [state('PENDING', 'PENDING', 'VERIFIED'), { orderStatus: 'SHIPPED', rejectionNote: 'Because.' }, noNote],
    // One thing that may be does not go through when another may not.
    [
      fresh,
      { orderStatus: 'SHIPPED', paymentStatus: 'REFUNDED' },
      'A payment that is PENDING cannot become REFUNDED',
    ],
  ])('from %j rejects %j and changes nothing', async (from, body, message) => {
    const id = await insertOrder(sql, holder.tokenId, client.id, from);
    const before = await tracesOf(id);
    const reply = await admin.ask('PATCH', `/admin/orders/${id}`, { body });
    expect(reply.status).toBe(403);
    const codes: Readonly<Record<string, string>> = {
      [noNote]: 'REJECTION_NOTE_REFUSED',
      'A cancelled order cannot be decided': 'ORDER_CLOSED',
    };
    const code = codes[message] ?? 'ORDER_TRANSITION_REFUSED';
    expect(reply.envelope).toEqual({ success: false, statusCode: 403, code, message, data: null });
    expect(await tracesOf(id)).toEqual(before);
  });

  it('rejects a holder, even for their own order', async () => {
    const id = await insertOrder(sql, holder.tokenId, client.id);
    const before = await tracesOf(id);
    const reply = await holder.signedIn.ask('PATCH', `/admin/orders/${id}`, {
      body: { orderStatus: 'CANCELLED' },
    });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'ADMINISTRATOR_REQUIRED',
      message: 'This is for administrators',
      data: null,
    });
    expect(await tracesOf(id)).toEqual(before);
  });
});

describe('getDashboardAnalytics, 400', () => {
  it.each([
    ['filterBy=year', 'filterBy must be one of the following values: day, week, month'],
    ['orderBy=newest', 'orderBy must be one of the following values: asc, desc'],
    ['startDate=yesterday', 'startDate must be a valid ISO 8601 date string'],
    ['endDate=2026-02-30', 'endDate must be a valid ISO 8601 date string'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate must not be before startDate'],
  ])('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/dapp/dashboard/analytics?${query}`);
    expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
  });
});
