import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import type { Session } from '../session/session-store.ts';
import { navigationOf } from './navigation.ts';
import classes from './sidebar.module.css';

/** The pages of a role. */
export function Sidebar({ role }: { readonly role: Session['role'] }) {
  return (
    <nav aria-label="Pages" className={classes.nav}>
      {navigationOf(role).map(({ title, items }) => (
        <div key={title ?? ''}>
          {title && <div className={classes.title}>{title}</div>}
          <ul className={classes.list}>
            {items.map(({ label, to, icon, search }) => (
              <li key={to}>
                <Link
                  to={to}
                  search={search ?? {}}
                  className={classes.link}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                >
                  <Icon name={icon} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
