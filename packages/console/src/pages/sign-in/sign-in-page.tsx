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
import { texts } from '../../texts/sign-in.ts';
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
    document.title = texts.signInKeyfront;
  }, []);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Stack gap={4} mt="xl" mb="lg">
          <Title order={1} size="h2">
            {texts.signIn}
          </Title>
          <Text c="dimmed" size="sm">
            {texts.yourWalletSignsMessageThisCosts}
          </Text>
        </Stack>
        <Stack>
          {getLastEnd() === 'expired' && (
            <Alert variant="default" icon={<Icon name="info" />}>
              {texts.yourSessionHasEndedSignIn}
            </Alert>
          )}
          {attempt.error && <ErrorNotice title={texts.signInHasFailed} error={attempt.error} />}
          <SegmentedChoice
            isWide
            label={texts.signInAs}
            value={role}
            onChange={setRole}
            options={[
              { value: 'holder', label: texts.holder },
              { value: 'administrator', label: texts.administrator },
            ]}
          />
          <InstalledWallets isBusy={attempt.isPending} onChoose={(open) => attempt.mutate({ open, role })} />
          {pageSettings.demoWallets !== 'none' && <Divider label={texts.orUseDemoWallet} />}
          {pageSettings.demoWallets === 'available' && (
            <DemoWalletList isBusy={attempt.isPending} onChoose={attempt.mutate} />
          )}
          {pageSettings.demoWallets === 'locked' && (
            <WalletNotice>
              {texts.openLinkThatServicePrintedAfter}
              <strong>{texts.console}</strong>
              {texts.whenItStartedLinkIsAlso}
              <Code>demo.json</Code>
              {texts.ofItsDataFolderAs}
              <Code>consoleUrl</Code>.
            </WalletNotice>
          )}
        </Stack>
      </div>
    </main>
  );
}
