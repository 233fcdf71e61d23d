import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const standingOf = (id: string) =>
  sql('SELECT admin_approval, is_active, rejection_note FROM clients WHERE id = $1', [id]);

it.each([
  ['PENDING', { rejectionNote: 'Because.' }],
  ['VERIFIED', { rejectionNote: 'Because.', isActive: false }],
  ['REJECTED', { adminApproval: 'VERIFIED', rejectionNote: 'Because.' }],
  ['REJECTED', { adminApproval: 'PENDING', rejectionNote: 'Because.' }],
])('rejects a note for a client who is %s and gets %j, and changes nothing', async (adminApproval, body) => {
  const { id } = await insertClient(sql, holder.tokenId, { adminApproval });
  const reply = await admin.ask('PATCH', `/admin/clients/${id}`, { body });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'REJECTION_NOTE_REFUSED',
    message: 'Only a rejected client has a rejection note',
    data: null,
  });
  expect(await standingOf(id)).toEqual([
    { admin_approval: adminApproval, is_active: true, rejection_note: null },
  ]);
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
});

it('rejects a holder, even for their own client', async () => {
  const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'PENDING' });
  const reply = await holder.signedIn.ask('PATCH', `/admin/clients/${id}`, {
    body: { adminApproval: 'VERIFIED' },
  });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 403, data: null });
  expect(await standingOf(id)).toEqual([
    { admin_approval: 'PENDING', is_active: true, rejection_note: null },
  ]);
});
