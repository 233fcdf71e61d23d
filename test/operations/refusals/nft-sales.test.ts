import { type NftSale, type NftSaleTypedData, nftListingSorts } from '@keyfront/protocol';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { hostileBodies, hostilePages, tooLargeBody } from '../../support/hostile-requests.ts';
import { draftSale, handIn, listSale, signTypedData, typedDataOf } from '../../support/nft-sales.ts';
import { issuesOf, openStorefront, type TestCaller } from '../../support/storefront.ts';

const { holder } = await openStorefront();

describe('createNftSale, 400', async () => {
  const { holder, sql } = await openStorefront();
  const { tokenId } = holder;

  const form = 'price must be a decimal number with at most 18 decimals, such as 1.5';
  const currencies = 'currency must be one of the following values: ETH';

  async function listIssues(body: unknown): Promise<unknown> {
    return issuesOf(await holder.ask('POST', '/marketplace/nfts/sale', { body }));
  }

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['tokenId is required', 'price is required']],
    ['no token id', { price: '1' }, ['tokenId is required']],
    ['no price', { tokenId }, ['price is required']],
    ['a token id that is text', { tokenId: '1', price: '1' }, ['tokenId must be an integer number']],
    ['a token id of null', { tokenId: null, price: '1' }, ['tokenId must be an integer number']],
    ['half a token id', { tokenId: 1.5, price: '1' }, ['tokenId must be an integer number']],
    ['a token id below zero', { tokenId: -1, price: '1' }, ['tokenId must not be less than 0']],
    [
      'a token id that JSON cannot carry',
      `{"tokenId":9007199254740993,"price":"1"}`,
      ['tokenId must not be greater than 9007199254740991'],
    ],
    ['a price that is a number', { tokenId, price: 1.5 }, ['price must be a string']],
    ['an empty price', { tokenId, price: '' }, ['price should not be empty']],
    ['a price of null', { tokenId, price: null }, ['price must be a string']],
    ['a price in words', { tokenId, price: 'one' }, [form]],
    ['a price below zero', { tokenId, price: '-1' }, ['price must not be less than 0']],
    ['a price with a plus', { tokenId, price: '+1' }, [form]],
    ['a price with an exponent', { tokenId, price: '1e3' }, [form]],
    ['a price with a comma', { tokenId, price: '1,5' }, [form]],
    ['a price that begins with a point', { tokenId, price: '.5' }, [form]],
    ['a price that ends with a point', { tokenId, price: '1.' }, [form]],
    ['a price that begins with a zero', { tokenId, price: '01' }, [form]],
    ['a price with a line end', { tokenId, price: '1\n' }, [form]],
    ['a price of 19 decimals', { tokenId, price: `0.${'0'.repeat(18)}1` }, [form]],
    [
      'a price of 19 digits',
      { tokenId, price: `1${'0'.repeat(18)}` },
      ['price must not be greater than 999999999999999999.999999999999999999'],
    ],
    [
      'NUL in the price',
      `{"tokenId":${tokenId},"price":"1\\u0000"}`,
      ['price must not contain NUL or unpaired surrogates'],
    ],
    ['a price of nothing', { tokenId, price: '0' }, ['price must be greater than 0']],
    ['a price of nothing in many digits', { tokenId, price: '0.000' }, ['price must be greater than 0']],
    ['another currency', { tokenId, price: '1', currency: 'EUR' }, [currencies]],
    ['an empty currency', { tokenId, price: '1', currency: '' }, [currencies]],
    ['a currency in small letters', { tokenId, price: '1', currency: 'eth' }, [currencies]],
    [
      'several faults at once',
      { tokenId: 'x', price: 'y', currency: 'z' },
      ['tokenId must be an integer number', form, currencies],
    ],
  ])('rejects %s', async (_name, body, issues) => {
    expect(await listIssues(body)).toEqual(issues);
  });

  it.each(hostileBodies)('rejects %s', async (_name, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it('rejects a body of 10 MB with 413', async () => {
    const reply = await holder.ask('POST', '/marketplace/nfts/sale', { body: tooLargeBody });
    expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
  });

  it('created no sale in the tests above', async () => {
    await listIssues({ tokenId, price: '0' });
    expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual([]);
  });
});

describe('createNftSale, 403', async () => {
  const { holder, sibling, stranger, addDigitalKey, admin, service, sql } = await openStorefront();

  const draft = (tokenId: number, caller: Pick<typeof holder, 'ask'> = holder) =>
    caller.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });

  it('rejects a digital key of another holder', async () => {
    const reply = await draft(stranger.tokenId);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'The digital key belongs to another holder',
      data: null,
    });
    expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [stranger.tokenId])).toEqual([]);
  });

  it('rejects another digital key of the same wallet, and says which credential it takes', async () => {
    const advice = ({ tokenId: own }: typeof holder, { tokenId }: typeof holder) =>
      `Your credential is for the digital key ${own}: use an API key of ${tokenId}, ` +
      `or sign in and make ${tokenId} your primary digital key`;
    for (const [caller, own, other] of [
      [holder, holder, sibling],
      [sibling, sibling, holder],
      // A JWT addresses the primary digital key.
      [holder.signedIn, holder, sibling],
    ] as const) {
      const { envelope } = await draft(other.tokenId, caller);
      expect(envelope).toMatchObject({ statusCode: 403, code: 'NOT_OWNED', message: advice(own, other) });
    }
    const tokens = [holder.tokenId, sibling.tokenId];
    expect(await sql('SELECT FROM nft_sales WHERE token_id = ANY ($1)', [tokens])).toEqual([]);
  });

  it('reveals nothing about an open sale of another holder', async () => {
    const { tokenId } = await draftSale(stranger, sql);
    expect((await draft(tokenId)).envelope.message).toBe('The digital key belongs to another holder');
  });

  it('rejects a digital key whose owner changes meanwhile', async () => {
    const seller = await addDigitalKey();
    const { tokenId } = seller;
    const chain = new pg.Client({ connectionString: service.ownerUrl });
    await chain.connect();
    try {
      const { rows } = await chain.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await chain.query('BEGIN');
      await chain.query('UPDATE keyfront.digital_keys SET holder_id = $2 WHERE token_id = $1', [
        tokenId,
        stranger.holderId,
      ]);
      const asked = draft(tokenId, seller);
      // The draft has seen the former owner, and waits for what becomes of the digital key.
      const findWaiting = () =>
        sql('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]?.pid]);
      await expect.poll(findWaiting, { timeout: 10_000 }).toHaveLength(1);
      await chain.query('COMMIT');
      expect((await asked).envelope).toMatchObject({
        statusCode: 403,
        message: 'The digital key belongs to another holder',
      });
    } finally {
      await chain.end();
    }
    expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual([]);
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await draft(holder.tokenId, admin);
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('createNftSale, 404', () => {
  it.each([0, 8_000_000_000, Number.MAX_SAFE_INTEGER])(
    'does not find the digital key %d, which nobody has',
    async (tokenId) => {
      const reply = await holder.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 404,
        code: 'RESOURCE_NOT_FOUND',
        message: 'Digital key not found',
        data: null,
      });
    },
  );
});

describe('createNftSale, 409', async () => {
  const { addDigitalKey, sql } = await openStorefront();

  const draft = (tokenId: number, caller: TestCaller) =>
    caller.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });

  it.each([
    ['drafted', draftSale],
    ['listed', listSale],
  ])('rejects a second sale while one is %s', async (_name, open) => {
    const seller = await addDigitalKey();
    const { id, tokenId } = await open(seller, sql);
    const before = await sql('SELECT * FROM nft_sales WHERE id = $1', [id]);
    const reply = await draft(tokenId, seller);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 409,
      code: 'SALE_ALREADY_OPEN',
      message: 'The digital key has an open sale already',
      data: null,
    });
    expect(await sql('SELECT * FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual(before);
  });
});

describe('getNftSale, 403', async () => {
  const { holder, sibling, stranger, addDigitalKey, sql } = await openStorefront();

  const refused = {
    success: false,
    statusCode: 403,
    code: 'NOT_OWNED',
    message: 'Sale belongs to another holder or digital key',
    data: null,
  };

  it.each([
    ['drafted', draftSale],
    ['listed', listSale],
  ])('shows nothing of what another holder has %s', async (_name, open) => {
    const { id } = await open(stranger, sql);
    expect((await holder.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
  });

  it('hides a former owner’s sale from the current owner', async () => {
    const buyer = await addDigitalKey();
    const { id, tokenId } = await listSale(buyer, sql);
    expect(tokenId).toBe(buyer.tokenId);
    // As if the buyer had bought it from the stranger.
    await sql('UPDATE nft_sales SET seller_id = $2 WHERE id = $1', [id, stranger.holderId]);
    expect((await buyer.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
  });

  it.each([
    ['drafted', draftSale],
    ['listed', listSale],
  ])('shows nothing of what the same wallet has %s for another digital key', async (_name, open) => {
    const { id } = await open(sibling, sql);
    for (const caller of [holder, holder.signedIn]) {
      expect((await caller.ask('GET', `/marketplace/nfts/sale/${id}`)).envelope).toEqual(refused);
    }
  });
});

describe('listNftListings, 400', () => {
  const price = 'must be a decimal number with at most 18 decimals, such as 1.5';
  const orderBy = `orderBy must be one of the following values: ${nftListingSorts.join(', ')}`;

  const queries: typeof hostilePages = [
    ...hostilePages,
    ['tokenId=x', 'tokenId must be an integer number'],
    ['tokenId=1&tokenId=2', 'tokenId must not be given more than once'],
    ['seller=0x12', 'seller must be an Ethereum address'],
    ['planet=%00', 'planet must not contain NUL or unpaired surrogates'],
    [`planet=${'x'.repeat(101)}`, 'planet must be shorter than or equal to 100 characters'],
    ['minPrice=1e3', `minPrice ${price}`],
    ['minPrice=-1', 'minPrice must not be less than 0'],
    ['maxPrice=1,5', `maxPrice ${price}`],
    [
      `maxPrice=1${'0'.repeat(18)}`,
      'maxPrice must not be greater than 999999999999999999.999999999999999999',
    ],
    ['orderBy=seller', orderBy],
    ['orderBy=price:up', orderBy],
  ];

  it.each(queries)('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/marketplace/nfts/listings?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: [issue],
    });
  });
});

describe('listNftSales, 400', () => {
  const tokenId = 'tokenId must be an integer number';
  const seller = 'seller must be an Ethereum address';
  const state = 'state must be one of the following values: DRAFT, LISTED, CANCELLED, SOLD';

  const queries: typeof hostilePages = [
    ...hostilePages,
    ['tokenId=x', tokenId],
    ['tokenId=-1', 'tokenId must not be less than 0'],
    ['tokenId=1.5', tokenId],
    ['tokenId=1e3', tokenId],
    ['tokenId=99999999999999999', 'tokenId must not be greater than 9999999999999999'],
    ['tokenId=%00', tokenId],
    ['tokenId=1&tokenId=2', 'tokenId must not be given more than once'],
    ['seller=0x12', seller],
    [`seller=${'ad'.repeat(20)}`, seller],
    [`seller=0X${'ad'.repeat(20)}`, seller],
    [`seller=0x${'ad'.repeat(20)}%00`, seller],
    ['seller=%ED%A0%80', seller],
    ['state=OPEN', state],
    ['state=draft', state],
    ['state=%00', state],
    ['state=DRAFT&state=SOLD', 'state must not be given more than once'],
  ];

  it.each(queries)('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/marketplace/nfts/sale?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: [issue],
    });
  });

  it('reports all validation issues at once', async () => {
    const reply = await holder.ask('GET', '/marketplace/nfts/sale?page=0&tokenId=x&seller=y&state=z');
    expect(reply.envelope.data).toEqual(['page must not be less than 1', tokenId, seller, state]);
  });
});

describe('listNftSales, 403', async () => {
  const { holder, sql } = await openStorefront();

  it('rejects a signed-in wallet that no longer owns a digital key', async () => {
    await sql('UPDATE holders SET primary_token_id = NULL WHERE id = $1', [holder.holderId]);
    const reply = await holder.signedIn.ask('GET', '/marketplace/nfts/sale');
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'DIGITAL_KEY_REQUIRED',
      message: 'The wallet owns no digital key',
      data: null,
    });
  });
});

describe('listTransactions, 400', () => {
  const type = 'type must be one of the following values: MINT, TRANSFER, LIST, LIST_CANCEL, SALE';

  const queries: typeof hostilePages = [
    ...hostilePages,
    ['type=BURN', type],
    ['type=mint', type],
    ['type=%00', type],
    ['type=%ED%A0%80', type],
    ['type=MINT&type=SALE', 'type must not be given more than once'],
  ];

  it.each(queries)('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/marketplace/transactions/user?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: [issue],
    });
  });

  it('reports all validation issues at once', async () => {
    const reply = await holder.ask('GET', '/marketplace/transactions/user?page=0&take=1001&type=x');
    expect(reply.envelope.data).toEqual([
      'page must not be less than 1',
      'take must not be greater than 1000',
      type,
    ]);
  });
});

describe('listTransactions, 403', async () => {
  const { holder, sql } = await openStorefront();

  it('rejects a signed-in wallet that no longer owns a digital key', async () => {
    await sql('UPDATE holders SET primary_token_id = NULL WHERE id = $1', [holder.holderId]);
    const reply = await holder.signedIn.ask('GET', '/marketplace/transactions/user');
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'DIGITAL_KEY_REQUIRED',
      message: 'The wallet owns no digital key',
      data: null,
    });
  });
});

describe('updateNftSale, 400', async () => {
  const { holder, sql } = await openStorefront();
  const sale = await draftSale(holder, sql);
  const { tokenId } = sale;

  const signature = `0x${'00'.repeat(65)}`;
  const form = 'signature must be hexadecimal bytes that start with 0x';
  const tooLong = 'signature must be shorter than or equal to 16386 characters';

  async function listIssues(body: unknown, id: string = sale.id): Promise<unknown> {
    return issuesOf(await holder.ask('PATCH', `/marketplace/nfts/sale/${id}`, { body }));
  }

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['tokenId is required', 'signature is required']],
    ['no token id', { signature }, ['tokenId is required']],
    ['no signature', { tokenId }, ['signature is required']],
    [
      'a token id that is text',
      { tokenId: String(tokenId), signature },
      ['tokenId must be an integer number'],
    ],
    ['a token id of null', { tokenId: null, signature }, ['tokenId must be an integer number']],
    ['a token id below zero', { tokenId: -1, signature }, ['tokenId must not be less than 0']],
    [
      'a token id that JSON cannot carry',
      { tokenId: 2 ** 53, signature },
      ['tokenId must not be greater than 9007199254740991'],
    ],
    ['a signature that is no text', { tokenId, signature: 7 }, ['signature must be a string']],
    ['a signature of null', { tokenId, signature: null }, ['signature must be a string']],
    ['an empty signature', { tokenId, signature: '' }, ['signature should not be empty']],
    ['a signature of no bytes', { tokenId, signature: '0x' }, [form]],
    ['a signature without 0x', { tokenId, signature: '00'.repeat(65) }, [form]],
    ['a signature that begins with 0X', { tokenId, signature: `0X${'00'.repeat(65)}` }, [form]],
    ['a signature of half a byte', { tokenId, signature: `${signature}0` }, [form]],
    ['a signature with a blank', { tokenId, signature: `${signature} ` }, [form]],
    ['a signature with a line end', { tokenId, signature: `${signature}\n` }, [form]],
    ['a signature in Base64', { tokenId, signature: 'AAAA' }, [form]],
    ['a signature that is too long', { tokenId, signature: `0x${'00'.repeat(8193)}` }, [tooLong]],
    [
      'a signature of seventeen thousand characters',
      { tokenId, signature: `0x${'0'.repeat(17_000)}z` },
      [tooLong],
    ],
    [
      'NUL in the signature',
      `{"tokenId":${tokenId},"signature":"0x00\\u0000"}`,
      ['signature must not contain NUL or unpaired surrogates'],
    ],
    ['several faults at once', { tokenId: 'x', signature: 'y' }, ['tokenId must be an integer number', form]],
  ])('rejects %s', async (_name, body, issues) => {
    expect(await listIssues(body)).toEqual(issues);
  });

  it.each(hostileBodies)('rejects %s', async (_name, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it.each([
    '7',
    '%00',
    '019a8f3e-7c00-7000-8000-00000000000',
    'urn:uuid:019a8f3e-7c00-7000-8000-000000000001',
  ])('refuses the id %s', async (id) => {
    expect(await listIssues({ tokenId, signature }, id)).toEqual(['id must be a UUID']);
  });

  it('names the faults of path and body together', async () => {
    expect(await listIssues({ tokenId, signature: 'y' }, '7')).toEqual(['id must be a UUID', form]);
  });

  it('rejects a body of 10 MB with 413', async () => {
    const reply = await holder.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, { body: tooLargeBody });
    expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
  });
});

describe('updateNftSale, 403', async () => {
  const { holder, sibling, stranger, admin, sql } = await openStorefront();

  const mismatch = 'The signature does not match the address of the message';
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

  /** Everything that a refused signature must leave as it is. */
  const look = async (id: string) => [
    await sql('SELECT * FROM nft_sales WHERE id = $1', [id]),
    await sql('SELECT * FROM transactions WHERE sale_id = $1 ORDER BY id', [id]),
  ];

  interface Attempt {
    readonly signature: string;
    readonly tokenId?: number;
    readonly caller?: Pick<typeof holder, 'ask'>;
  }

  /** Hands a signature in, sees that nothing comes of it, and gives the issue. */
  async function refusalOf(sale: NftSale, { signature, tokenId = sale.tokenId, caller = holder }: Attempt) {
    const before = await look(sale.id);
    const reply = await caller.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, {
      body: { tokenId, signature },
    });
    expect(reply.envelope).toMatchObject({ success: false, statusCode: 403, data: null });
    expect(await look(sale.id)).toEqual(before);
    return reply.envelope.message;
  }

  const sign = (sale: NftSale, account = holder.account) => signTypedData(account, typedDataOf(sale));

  /** Signs something that differs from what the sale asks for. */
  function signOther(
    sale: NftSale,
    change: (typedData: NftSaleTypedData) => NftSaleTypedData,
  ): Promise<string> {
    return signTypedData(holder.account, change(typedDataOf(sale)));
  }
  const withMessage = (change: Partial<NftSaleTypedData['message']>) => (typedData: NftSaleTypedData) => ({
    ...typedData,
    message: { ...typedData.message, ...change },
  });
  const withDomain = (change: Partial<NftSaleTypedData['domain']>) => (typedData: NftSaleTypedData) => ({
    ...typedData,
    domain: { ...typedData.domain, ...change },
  });

  it.each([
    ['a draft', draftSale],
    ['a listed sale', listSale],
  ])('rejects what is not the owner’s signature for %s', async (_name, open) => {
    const sale = await open(holder, sql);
    const other = await open(sibling, sql);
    for (const [name, signature] of [
      ['another wallet', await sign(sale, stranger.account)],
      ['another sale', await sign(other)],
      ['another token', await signOther(sale, withMessage({ tokenId: String(other.tokenId) }))],
      ['another nonce', await signOther(sale, withMessage({ nonce: '1' }))],
      ['another price', await signOther(sale, withMessage({ price: '1499999999999999999' }))],
      ['another owner', await signOther(sale, withMessage({ owner: stranger.account.address }))],
      ['another expiry', await signOther(sale, withMessage({ expiry: '99999999999' }))],
      ['another chain', await signOther(sale, withDomain({ chainId: 10 }))],
      ['another contract', await signOther(sale, withDomain({ verifyingContract: holder.account.address }))],
      ['another marketplace', await signOther(sale, withDomain({ name: 'Keyfront' }))],
      ['another version', await signOther(sale, withDomain({ version: '1' }))],
      ['plain text', await holder.account.signMessage({ message: JSON.stringify(sale.typedData) })],
      ['zeros', `0x${'00'.repeat(65)}`],
      ['no recovery bit that there is', `${(await sign(sale)).slice(0, 130)}1d`],
    ] as const) {
      expect([name, await refusalOf(sale, { signature })]).toEqual([name, mismatch]);
    }
  });

  it('rejects the signature of the listing as that of the cancellation, and the other way round', async () => {
    const draft = await draftSale(holder, sql);
    const early = await signOther(draft, ({ types, ...typedData }) => ({
      ...typedData,
      types: { EIP712Domain: types.EIP712Domain, Cancellation: types.Listing ?? [] },
      primaryType: 'Cancellation',
    }));
    expect(await refusalOf(draft, { signature: early })).toBe(mismatch);
    const listing = await sign(draft);
    const listed = (await handIn(holder, draft)).envelope.data as NftSale;
    expect(await refusalOf(listed, { signature: listing })).toBe(mismatch);
  });

  it('rejects a signature that was used before', async () => {
    const listed = await listSale(holder, sql);
    const cancellation = await sign(listed);
    expect((await handIn(holder, listed)).status).toBe(200);
    expect(await refusalOf(listed, { signature: cancellation })).toBe('The sale is CANCELLED');
    const next = await holder.ask('POST', '/marketplace/nfts/sale', {
      body: { tokenId: listed.tokenId, price: listed.price },
    });
    const draft = next.envelope.data as NftSale;
    expect(await refusalOf(draft, { signature: cancellation })).toBe(mismatch);
  });

  it('rejects the other form of the owner’s signature, with the high s', async () => {
    const sale = await draftSale(holder, sql);
    const signature = await sign(sale);
    const s = (curveOrder - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const high = signature.slice(0, 66) + s + (signature.endsWith('1b') ? '1c' : '1b');
    expect(await refusalOf(sale, { signature: high })).toBe(
      'The signature must have the lower of its two possible s values',
    );
  });

  it('rejects any other length, as there is no chain to ask', async () => {
    const sale = await draftSale(holder, sql);
    const signature = await sign(sale);
    for (const other of [signature.slice(0, 130), `${signature}00`, '0x00', `0x${'00'.repeat(8192)}`]) {
      expect(await refusalOf(sale, { signature: other })).toBe(
        'The signature must have 65 bytes: those of smart wallets are not accepted here',
      );
    }
  });

  it('rejects another holder’s sale, whoever has signed', async () => {
    const sale = await draftSale(holder, sql);
    for (const account of [holder.account, stranger.account]) {
      const signature = await sign(sale, account);
      expect(await refusalOf(sale, { signature, caller: stranger })).toBe(
        'Sale belongs to another holder or digital key',
      );
    }
  });

  it('rejects the sale of another digital key of the same wallet, although its owner has signed', async () => {
    const sale = await draftSale(sibling, sql);
    const signature = await sign(sale);
    for (const caller of [holder, holder.signedIn]) {
      expect(await refusalOf(sale, { signature, caller })).toBe(
        'Sale belongs to another holder or digital key',
      );
    }
  });

  it('rejects a token id that is not the sale’s', async () => {
    const sale = await draftSale(holder, sql);
    const signature = await sign(sale);
    for (const tokenId of [sibling.tokenId, 0, Number.MAX_SAFE_INTEGER]) {
      expect(await refusalOf(sale, { signature, tokenId })).toBe('tokenId is not that of the sale');
    }
  });

  it.each(['SOLD', 'CANCELLED'])('rejects a sale that is %s', async (state) => {
    const sale = await listSale(holder, sql);
    const signature = await sign(sale);
    await sql('UPDATE nft_sales SET state = $2 WHERE id = $1', [sale.id, state]);
    expect(await refusalOf(sale, { signature })).toBe(`The sale is ${state}`);
  });

  it.each([
    ['draft', draftSale],
    ['listed sale', listSale],
  ])('rejects a %s whose time is over', async (_name, open) => {
    const sale = await open(holder, sql);
    await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 millisecond' WHERE id = $1`, [sale.id]);
    const signature = await signOther(sale, withMessage({ expiry: String(Math.floor(Date.now() / 1000)) }));
    expect(await refusalOf(sale, { signature })).toBe('The sale has expired');
    expect(await refusalOf(sale, { signature: await sign(sale) })).toBe('The sale has expired');
  });

  it('says what is wrong first: whose it is, its token, its state, its time, the signature', async () => {
    const sale = await listSale(holder, sql);
    const signature = `0x${'00'.repeat(65)}`;
    await sql(`UPDATE nft_sales SET state = 'SOLD', expires_at = now() - interval '1 day' WHERE id = $1`, [
      sale.id,
    ]);
    const wrong = { signature, tokenId: 0 };
    expect(await refusalOf(sale, { ...wrong, caller: stranger })).toMatch(/^Sale belongs to another/);
    expect(await refusalOf(sale, wrong)).toBe('tokenId is not that of the sale');
    expect(await refusalOf(sale, { signature })).toBe('The sale is SOLD');
    await sql(`UPDATE nft_sales SET state = 'LISTED' WHERE id = $1`, [sale.id]);
    expect(await refusalOf(sale, { signature })).toBe('The sale has expired');
    await sql(`UPDATE nft_sales SET expires_at = now() + interval '1 day' WHERE id = $1`, [sale.id]);
    expect(await refusalOf(sale, { signature })).toBe(mismatch);
  });

  it('rejects an administrator, who has no digital key', async () => {
    const sale = await draftSale(holder, sql);
    expect(await refusalOf(sale, { signature: await sign(sale), caller: admin })).toBe(
      'This is for holders of a digital key: sign in as one',
    );
  });
});

describe('withdrawNftSale, 403', async () => {
  const { holder, sibling, stranger, sql } = await openStorefront();

  const stateOf = async (id: string) =>
    (await sql<{ state: string }>('SELECT state FROM nft_sales WHERE id = $1', [id]))[0]?.state;

  /** Asks for a withdrawal, sees that the sale stays as it is, and returns code and message. */
  async function refusalOf(id: string, caller: Pick<typeof holder, 'ask'> = holder) {
    const before = await stateOf(id);
    const { envelope } = await caller.ask('DELETE', `/marketplace/nfts/sale/${id}`);
    expect(envelope).toMatchObject({ success: false, statusCode: 403, data: null });
    expect(await stateOf(id)).toBe(before);
    return [envelope.code, envelope.message];
  }

  it('rejects a listed sale, and says how to cancel it', async () => {
    const { id } = await listSale(holder, sql);
    expect(await refusalOf(id)).toEqual([
      'SALE_LISTED',
      'The sale is listed: to cancel it, sign its typedData and send the signature with PATCH',
    ]);
  });

  it.each(['SOLD', 'CANCELLED'])('rejects a sale that is %s', async (state) => {
    const { id } = await draftSale(holder, sql);
    await sql('UPDATE nft_sales SET state = $2 WHERE id = $1', [id, state]);
    expect(await refusalOf(id)).toEqual(['SALE_CLOSED', `The sale is ${state}`]);
  });

  it('rejects the draft of another holder, and of another digital key of the same wallet', async () => {
    const refused = ['NOT_OWNED', 'Sale belongs to another holder or digital key'];
    expect(await refusalOf((await draftSale(stranger, sql)).id)).toEqual(refused);
    const { id } = await draftSale(sibling, sql);
    expect(await refusalOf(id)).toEqual(refused);
    expect(await refusalOf(id, holder.signedIn)).toEqual(refused);
  });

  it('either withdraws or lists a draft for which both are asked at once', async () => {
    for (let round = 0; round < 10; round++) {
      const draft = await draftSale(holder, sql);
      const path = `/marketplace/nfts/sale/${draft.id}`;
      const [listed, withdrawn] = await Promise.all([handIn(holder, draft), holder.ask('DELETE', path)]);
      expect([listed.status, withdrawn.status].sort()).toEqual([200, 403]);
      expect(await stateOf(draft.id)).toBe(listed.status === 200 ? 'LISTED' : 'CANCELLED');
    }
  });
});
