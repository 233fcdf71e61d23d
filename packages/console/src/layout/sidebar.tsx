import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import { formatNumber } from '../format/format-number.ts';
import { countRefundsDue } from '../pages/admin/refunds/refund-queries.ts';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import { navigationOf } from './navigation.ts';
import classes from './sidebar.module.css';

/** The pages of a role. */
export function Sidebar({ role }: { readonly role: Session['role'] }) {
  return (
    <nav aria-label={texts.pages} className={classes.nav}>
      {navigationOf(role).map(({ title, items }) => (
        <div key={title ?? ''}>
          {title && <div className={classes.title}>{title}</div>}
          <ul className={classes.list}>
            {items.map(({ label, to, icon, search, count }) => (
              <li key={to}>
                <Link
                  to={to}
                  search={search ?? {}}
                  className={classes.link}
                  activeOptions={{ exact: to === '/' || to === '/admin', includeSearch: false }}
                >
                  <Icon name={icon} />
                  {label}
                  {count === 'refundsDue' && <RefundCount />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** How many orders wait for a refund. */
function RefundCount() {
  const { data: count = 0 } = useQuery(countRefundsDue);
  if (count === 0) return null;
  return <span className={classes.count}>{formatNumber(count)}</span>;
}
