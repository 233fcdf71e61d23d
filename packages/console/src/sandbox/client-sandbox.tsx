import type { Client } from '@keyfront/sdk';
import { pageSettings } from '../page-settings.ts';
import { getKeyfront } from '../session/keyfront.ts';
import { texts } from '../texts/sandbox.ts';
import { SandboxActions } from './sandbox-actions.tsx';

/** What administrators and the identity provider decide about a client. Nothing outside of a sandbox. */
export function ClientSandbox({ client }: { readonly client: Client }) {
  if (!pageSettings.isSandbox) return null;
  const { id, adminApproval, kycStatus } = client;
  const decide = (approval: Client['adminApproval']) => () =>
    getKeyfront().sandbox.updateClient(id, { adminApproval: approval });
  const report = (status: 'VERIFIED' | 'REJECTED') => () => getKeyfront().sandbox.reportKyc(id, { status });
  const isChecked = kycStatus === 'VERIFIED' || kycStatus === 'REJECTED';
  return (
    <SandboxActions
      description={texts.inPlaceOfIdentityProvider}
      actions={[
        { label: texts.approve, isPossible: adminApproval !== 'VERIFIED', run: decide('VERIFIED') },
        { label: texts.reject, isPossible: adminApproval !== 'REJECTED', run: decide('REJECTED') },
        { label: texts.passIdentityCheck, isPossible: !isChecked, run: report('VERIFIED') },
        { label: texts.failIdentityCheck, isPossible: !isChecked, run: report('REJECTED') },
      ]}
    />
  );
}
