import type { ReactNode } from 'react';
import classes from './small-button.module.css';

interface SmallButtonProps {
  readonly onClick: () => void;
  /** Without a border, beside a title. */
  readonly isSubtle?: boolean;
  readonly children: ReactNode;
}

/** A button in a notice or beside a title. Such buttons are on the first page, which does without the component library. */
export function SmallButton({ onClick, isSubtle, children }: SmallButtonProps) {
  return (
    <button type="button" className={classes.button} data-subtle={isSubtle} onClick={onClick}>
      {children}
    </button>
  );
}
