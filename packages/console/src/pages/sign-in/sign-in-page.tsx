import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
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
        <h1 className={classes.title}>{texts.signIn}</h1>
        <p className={classes.description}>{texts.yourWalletSignsMessageThisCosts}</p>
        <div className={classes.choices}>
          {getLastEnd() === 'expired' && <Notice icon="info">{texts.yourSessionHasEndedSignIn}</Notice>}
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
          {pageSettings.demoWallets !== 'none' && (
            <div className={classes.divider}>{texts.orUseDemoWallet}</div>
          )}
          {pageSettings.demoWallets === 'available' && (
            <DemoWalletList isBusy={attempt.isPending} onChoose={attempt.mutate} />
          )}
          {pageSettings.demoWallets === 'locked' && (
            <WalletNotice>
              {texts.openLinkThatServicePrintedAfter}
              <strong>{texts.console}</strong>
              {texts.whenItStartedLinkIsAlso}
              <code>demo.json</code>
              {texts.ofItsDataFolderAs}
              <code>consoleUrl</code>.
            </WalletNotice>
          )}
        </div>
      </div>
    </main>
  );
}
