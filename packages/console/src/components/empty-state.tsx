import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do about it. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Takes the place of a list that has nothing to show. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap={6} className={classes.root}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" ta="center" maw={380}>
        {children}
      </Text>
      {action && <div className={classes.action}>{action}</div>}
    </Stack>
  );
}
