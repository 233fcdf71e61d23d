import type { ReactNode } from 'react';
import classes from './wallet-notice.module.css';

/** Stands where wallets would be, and says how to get some. */
export function WalletNotice({ children }: { readonly children: ReactNode }) {
  return <p className={classes.notice}>{children}</p>;
}
