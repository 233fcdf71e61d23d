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
    <div className={classes.root}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.words}>{children}</p>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
