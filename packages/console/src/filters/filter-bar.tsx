import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

interface FilterBarProps {
  readonly children: ReactNode;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** The filters of a list, side by side as far as there is room. */
export function FilterBar({ children, isFiltered, onClear }: FilterBarProps) {
  return (
    <search className={classes.bar}>
      {children}
      {isFiltered && (
        <Button variant="subtle" className={classes.clear} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
