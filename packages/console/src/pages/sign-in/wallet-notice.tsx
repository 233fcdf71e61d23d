import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './wallet-notice.module.css';

/** Stands where wallets would be, and says how to get some. */
export function WalletNotice({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className={classes.notice}>
      {children}
    </Text>
  );
}
