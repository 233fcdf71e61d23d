import { Alert, Code, Divider, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { SegmentedChoice } from '../../components/segmented-choice.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { Brand } from '../../layout/brand.tsx';
import { pageSettings } from '../../page-settings.ts';
import { getLastEnd, type Session } from '../../session/session-store.ts';
import { signIn } from '../../session/sign-in.ts';
import { DemoWalletList } from './demo-wallet-list.tsx';
import { InstalledWallets } from './installed-wallets.tsx';
import type { SignInAttempt } from './sign-in-attempt.ts';
import classes from './sign-in-page.module.css';
import { WalletNotice } from './wallet-notice.tsx';

/** Where a visitor chooses a wallet. */
export function SignInPage() {
  const { from } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [role, setRole] = useState<Session['role']>('holder');
  const attempt = useSingleMutation({
    mutationFn: async ({ open, role: chosen }: SignInAttempt) => signIn(await open(), chosen),
    onSuccess: () => navigate({ to: from ?? '/', replace: true }),
  });
  useEffect(() => {
    document.title = 'Sign in · Keyfront';
  }, []);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Stack gap={4} mt="xl" mb="lg">
          <Title order={1} size="h2">
            Sign in
          </Title>
          <Text c="dimmed" size="sm">
            Your wallet signs a message. This costs nothing and sends no transaction.
          </Text>
        </Stack>
        <Stack>
          {getLastEnd() === 'expired' && (
            <Alert variant="default" icon={<Icon name="info" />}>
              Your session has ended. Sign in again to go on where you were.
            </Alert>
          )}
          {attempt.error && <ErrorNotice title="The sign-in has failed" error={attempt.error} />}
          <SegmentedChoice
            isWide
            label="Sign in as"
            value={role}
            onChange={setRole}
            options={[
              { value: 'holder', label: 'Holder' },
              { value: 'administrator', label: 'Administrator' },
            ]}
          />
          <InstalledWallets isBusy={attempt.isPending} onChoose={(open) => attempt.mutate({ open, role })} />
          {pageSettings.demoWallets !== 'none' && <Divider label="or use a demo wallet" />}
          {pageSettings.demoWallets === 'available' && (
            <DemoWalletList isBusy={attempt.isPending} onChoose={attempt.mutate} />
          )}
          {pageSettings.demoWallets === 'locked' && (
            <WalletNotice>
              Open the link that the service printed after <strong>Console</strong> when it started. The link
              is also in the file <Code>demo.json</Code> of its data folder, as <Code>consoleUrl</Code>.
            </WalletNotice>
          )}
        </Stack>
      </div>
    </main>
  );
}
