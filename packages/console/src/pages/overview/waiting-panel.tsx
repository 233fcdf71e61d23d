import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { dashboardSummary } from './dashboard-queries.ts';
import classes from './waiting-panel.module.css';

interface Task {
  readonly count: number;
  readonly icon: IconName;
  readonly label: string;
  readonly to: string;
  readonly search: Record<string, string>;
}

/** What waits for the holder. */
export function WaitingPanel() {
  const { data, error } = useQuery(dashboardSummary);
  if (error) {
    return (
      <Panel title="Waiting for you">
        <ErrorNotice title="This could not be loaded" error={error} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel title="Waiting for you">
        <Skeleton height={128} />
      </Panel>
    );
  }
  const { clients, orders } = data;
  const tasks: Task[] = [
    {
      count: orders.paymentStatus.FAILED,
      icon: 'alert',
      label: 'payments have failed',
      to: '/orders',
      search: { paymentStatus: 'FAILED' },
    },
    {
      count: orders.paymentStatus.PENDING,
      icon: 'orders',
      label: 'orders are not paid',
      to: '/orders',
      search: { paymentStatus: 'PENDING' },
    },
    {
      count: clients.total - clients.kycVerified,
      icon: 'clients',
      label: 'clients have not proved their identity',
      to: '/clients',
      search: { isKYCVerified: 'false' },
    },
  ];
  const open = tasks.filter(({ count }) => count > 0);
  return (
    <Panel title="Waiting for you">
      {open.length === 0 && <p className={classes.nothing}>Nothing. Enjoy the quiet.</p>}
      <ul className={classes.list}>
        {open.map(({ count, icon, label, to, search }) => (
          <li key={label}>
            <Link to={to} search={search} className={classes.row}>
              <Icon name={icon} />
              <span>
                <strong className="tabular">{count.toLocaleString()}</strong> {label}
              </span>
              <Icon name="next" size={14} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
