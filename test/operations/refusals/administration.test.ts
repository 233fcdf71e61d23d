import { describe, expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { issuesOf, openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

describe('listAdminHolders, 400', () => {
  const cursor = 'cursor must be a nextCursor of this list';
  const walletAddress = 'walletAddress must be an Ethereum address or the beginning of one';
  const wallet = `0x${'ad'.repeat(20)}`;
  const tokenId = 'tokenId must be an integer number';

  it.each([
    ['take=0', 'take must not be less than 1'],
    ['take=101', 'take must not be greater than 100'],
    ['take=1.5', 'take must be an integer number'],
    ['take=1&take=2', 'take must not be given more than once'],
    ['cursor=7', cursor],
    ["cursor=' OR true --", cursor],
    ['cursor=019a8f3e-7c00-7000-8000-00000000dea', cursor],
    [`cursor=${'7'.repeat(101)}`, 'cursor must be shorter than or equal to 100 characters'],
    ['walletAddress=12', walletAddress],
    ['walletAddress=0x1g', walletAddress],
    ['walletAddress=0x%25', walletAddress],
    [`walletAddress=${wallet}0`, walletAddress],
    [`cursor=${wallet}`, cursor],
    ['walletAddress=0x&cursor=019a8f3e-7c00-7000-8000-00000000dead', cursor],
    [`walletAddress=${'ad'.repeat(20)}`, walletAddress],
    ["walletAddress=' OR true --", walletAddress],
    [`walletAddress=0x${'ad'.repeat(20)}%25`, walletAddress],
    ['tokenId=-1', 'tokenId must not be less than 0'],
    ['tokenId=1e3', tokenId],
    ['tokenId=99999999999999999', 'tokenId must not be greater than 9999999999999999'],
  ])('rejects %s', async (query, issue) => {
    const { status, envelope } = await admin.ask('GET', `/admin/holders?${query}`);
    expect([status, envelope]).toEqual([
      400,
      {
        success: false,
        statusCode: 400,
        code: 'VALIDATION_FAILED',
        message: 'Validation failed',
        data: [issue],
      },
    ]);
  });
});

describe('listAudit, 400', () => {
  const subject =
    'subject must be one of the following values: CLIENT, ORDER, STRAIN, PLANET, DELIVERY_CHARGE';
  const administrator = 'administrator must be an Ethereum address';

  const queries: typeof hostilePages = [
    ...hostilePages,
    ['subject=strain', subject],
    ['subject=KEY', subject],
    ['subject=%00', subject],
    ['subject=STRAIN&subject=PLANET', 'subject must not be given more than once'],
    ['subjectId=7', 'subjectId must be a UUID'],
    ['subjectId=%00', 'subjectId must be a UUID'],
    ['subjectId=019a8f3e-7c00-7000-8000-00000000dea', 'subjectId must be a UUID'],
    ['administrator=0x12', administrator],
    [`administrator=${'ad'.repeat(20)}`, administrator],
    [`administrator=0x${'ad'.repeat(20)}%00`, administrator],
    ["administrator=' OR true --", administrator],
  ];

  it.each(queries)('rejects %s', async (query, issue) => {
    const reply = await admin.ask('GET', `/admin/audit?${query}`);
    expect(issuesOf(reply)).toEqual([issue]);
  });

  it('reports all validation issues at once', async () => {
    const reply = await admin.ask('GET', '/admin/audit?page=0&subject=x&subjectId=x&administrator=x');
    expect(reply.envelope.data).toEqual([
      'page must not be less than 1',
      subject,
      'subjectId must be a UUID',
      administrator,
    ]);
  });
});
