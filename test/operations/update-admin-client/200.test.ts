import type { AdminClient } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, kycFieldsOf, readClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const newClient = () => insertClient(sql, holder.tokenId, { adminApproval: 'PENDING', isKycVerified: false });
const read = (id: string) => readClient(holder, id);
const update = async (id: string, body: object) => {
  const reply = await admin.ask('PATCH', `/admin/clients/${id}`, { body });
  expect(reply.status).toBe(200);
  return dataOf<AdminClient>(reply);
};
const auditOf = (id: string) =>
  sql<{ before: object; after: object }>(
    'SELECT administrator, subject, action, before, after FROM audit WHERE subject_id = $1 ORDER BY id',
    [id],
  );

it('returns every field of the client, which its holder sees too, but for the note', async () => {
  const { id } = await newClient();
  const before = await read(id);
  const change = { adminApproval: 'REJECTED', isKYCVerified: true, isActive: false };
  const after = await update(id, { ...change, rejectionNote: 'The document photo cannot be read.' });
  const { updatedAt } = after;
  const verified = kycFieldsOf('VERIFIED', updatedAt);
  expect(after).toEqual({
    ...before,
    ...change,
    ...verified,
    rejectedAt: updatedAt,
    rejectionNote: 'The document photo cannot be read.',
    updatedAt,
  });
  expect(await read(id)).toEqual({ ...before, ...change, ...verified, rejectedAt: updatedAt, updatedAt });
});

it.each([{ adminApproval: 'VERIFIED' }, { isKYCVerified: true }, { isActive: false }])(
  'changes only what is named: %j',
  async (change) => {
    const { id } = await newClient();
    const before = await read(id);
    const after = await update(id, change);
    expect(after).toEqual({
      ...before,
      ...change,
      ...('isKYCVerified' in change ? kycFieldsOf('VERIFIED', after.updatedAt) : {}),
      approvedAt: 'adminApproval' in change ? after.updatedAt : null,
      rejectionNote: null,
      updatedAt: after.updatedAt,
    });
  },
);

it('allows every change of approval', async () => {
  const { id } = await newClient();
  const walk = ['VERIFIED', 'REJECTED', 'PENDING', 'REJECTED', 'VERIFIED', 'PENDING', 'PENDING'];
  for (const adminApproval of walk) {
    expect((await update(id, { adminApproval })).adminApproval).toBe(adminApproval);
  }
});

it('keeps the time of the present decision, and of that only', async () => {
  const { id } = await newClient();
  const approved = await update(id, { adminApproval: 'VERIFIED' });
  expect(approved).toMatchObject({ approvedAt: approved.updatedAt, rejectedAt: null });
  const same = await update(id, { adminApproval: 'VERIFIED', isKYCVerified: true });
  expect(same.approvedAt).toBe(approved.approvedAt);
  const rejected = await update(id, { adminApproval: 'REJECTED' });
  expect(rejected).toMatchObject({ approvedAt: null, rejectedAt: rejected.updatedAt });
  expect(await update(id, { adminApproval: 'PENDING' })).toMatchObject({
    approvedAt: null,
    rejectedAt: null,
  });
});

describe('the rejection note', () => {
  const note = 'The document photo cannot be read.';

  it.each(['VERIFIED', 'PENDING'])(
    'goes when the client becomes %s, and does not come back',
    async (adminApproval) => {
      const { id } = await newClient();
      await update(id, { adminApproval: 'REJECTED', rejectionNote: note });
      expect((await update(id, { adminApproval })).rejectionNote).toBeNull();
      expect((await update(id, { adminApproval: 'REJECTED' })).rejectionNote).toBeNull();
    },
  );

  it('stays while the client is rejected', async () => {
    const { id } = await newClient();
    await update(id, { adminApproval: 'REJECTED', rejectionNote: note });
    expect((await update(id, { adminApproval: 'REJECTED' })).rejectionNote).toBe(note);
    expect((await update(id, { isActive: false })).rejectionNote).toBe(note);
  });

  it('can be given later, and be changed', async () => {
    const { id } = await newClient();
    expect((await update(id, { adminApproval: 'REJECTED' })).rejectionNote).toBeNull();
    expect((await update(id, { rejectionNote: note })).rejectionNote).toBe(note);
    expect((await update(id, { rejectionNote: 'Another.' })).rejectionNote).toBe('Another.');
  });
});

describe('the audit', () => {
  it('has who changed what, before and after, and only what differs', async () => {
    const { id } = await newClient();
    await update(id, { adminApproval: 'REJECTED', isActive: true, rejectionNote: 'Because.' });
    await update(id, { adminApproval: 'VERIFIED', isKYCVerified: true });
    const row = { administrator: admin.walletAddress, subject: 'CLIENT', action: 'CHANGE' };
    expect(await auditOf(id)).toEqual([
      {
        ...row,
        before: { adminApproval: 'PENDING', rejectionNote: null },
        after: { adminApproval: 'REJECTED', rejectionNote: 'Because.' },
      },
      {
        ...row,
        before: { adminApproval: 'REJECTED', isKYCVerified: false, rejectionNote: 'Because.' },
        after: { adminApproval: 'VERIFIED', isKYCVerified: true, rejectionNote: null },
      },
    ]);
  });

  it('has nothing where nothing changed', async () => {
    const { id } = await newClient();
    await update(id, { adminApproval: 'PENDING', isActive: true });
    expect(await auditOf(id)).toEqual([]);
  });

  it('is a chain without a gap when many change the same client at once', async () => {
    const { id } = await newClient();
    const approvals = [
      'VERIFIED',
      'REJECTED',
      'PENDING',
      'VERIFIED',
      'REJECTED',
      'PENDING',
      'VERIFIED',
      'REJECTED',
    ];
    await Promise.all(approvals.map((adminApproval) => update(id, { adminApproval })));
    const rows = await auditOf(id);
    expect(rows.length).toBeGreaterThan(0);
    let approval: unknown = 'PENDING';
    for (const { before, after } of rows) {
      expect(before).toEqual({ adminApproval: approval });
      approval = 'adminApproval' in after ? after.adminApproval : undefined;
    }
    expect((await read(id)).adminApproval).toBe(approval);
  });
});
