import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Whether the content reaches the edges, as a table does. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page. */
export function Panel({ title, aside, isFlush = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={classes.panel} aria-labelledby={title ? titleId : undefined}>
      {title && (
        <div className={classes.head}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {aside}
        </div>
      )}
      <div className={isFlush ? undefined : classes.body}>{children}</div>
    </section>
  );
}
