import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import classes from './filter-bar.module.css';

interface FilterBarProps {
  readonly search: ReactNode;
  /** Further filters. On a narrow screen they are shown on request, so that the list is not pushed out of sight. */
  readonly children?: ReactNode;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** The filters of a list, side by side as far as there is room. */
export function FilterBar({ search, children, isFiltered, onClear }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <search className={classes.bar}>
      {search}
      {children && (
        <>
          <Button
            variant="default"
            className={classes.toggle}
            leftSection={<Icon name="filters" />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            Filters
          </Button>
          <div id={id} className={classes.filters} data-open={isOpen || undefined}>
            {children}
          </div>
        </>
      )}
      {isFiltered && (
        <Button variant="subtle" className={classes.clear} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
