import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/format-number.ts';
import classes from './share-list.module.css';

export interface Share {
  readonly label: string;
  readonly count: number;
  readonly tone: 'good' | 'warn' | 'bad' | 'info' | 'neutral';
  readonly to: string;
  readonly search?: Record<string, string>;
}

/** Parts of a whole as bars. Each leads to the list of what it counts. */
export function ShareList({ shares }: { readonly shares: readonly Share[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className={classes.list}>
      {shares.map(({ label, count, tone, to, search }) => (
        <li key={label}>
          <Link to={to} search={search ?? {}} className={classes.row}>
            <span className={classes.words}>
              <span>{label}</span>
              <span className="tabular">{formatNumber(count)}</span>
            </span>
            <span className={classes.track}>
              <svg className={classes.bar} data-tone={tone} aria-hidden="true">
                <rect width={`${total === 0 ? 0 : (100 * count) / total}%`} height="100%" rx="3" />
              </svg>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
