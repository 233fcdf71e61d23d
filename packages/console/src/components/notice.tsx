import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './notice.module.css';

interface NoticeProps {
  readonly icon: IconName;
  readonly tone?: 'bad' | 'warn' | 'info';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A message that stands in the page. Assistive technology reads it when it appears. */
export function Notice({ icon, tone = 'info', title, children }: NoticeProps) {
  return (
    <div role="alert" className={classes.notice} data-tone={tone}>
      <Icon name={icon} size={20} />
      <div className={classes.words}>
        {title && <div className={classes.title}>{title}</div>}
        {children}
      </div>
    </div>
  );
}
