import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

/** Names and values, one below the other. A value that is empty is a dash. */
export function FactList({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={classes.list}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{value === '' || value === null ? '–' : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}
