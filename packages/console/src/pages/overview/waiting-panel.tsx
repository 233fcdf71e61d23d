import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/overview.ts';
import { cancelledOrders, dashboardSummary, refundsDue } from './dashboard-queries.ts';
import links from './link-list.module.css';
import { listWaitingTasks } from './waiting-tasks.ts';

/** What waits for the holder. */
export function WaitingPanel() {
  const summary = useQuery(dashboardSummary);
  const cancelled = useQuery(cancelledOrders);
  const refunds = useQuery(refundsDue);
  const error = summary.error ?? cancelled.error ?? refunds.error;
  const isLoaded = summary.data && cancelled.data && refunds.data !== undefined;
  if (error && !isLoaded) {
    return (
      <Panel title={texts.waitingForYou}>
        <ErrorNotice title={texts.thisCouldNotBeLoaded} error={error} />
      </Panel>
    );
  }
  if (!summary.data || !cancelled.data || refunds.data === undefined) {
    return (
      <Panel title={texts.waitingForYou}>
        <Skeleton height={128} />
      </Panel>
    );
  }
  const open = listWaitingTasks(summary.data, cancelled.data, refunds.data);
  return (
    <Panel title={texts.waitingForYou}>
      {open.length === 0 && <p className={links.nothing}>{texts.nothingEnjoyQuiet}</p>}
      <ul className={links.list}>
        {open.map(({ count, icon, label, to, search }) => (
          <li key={label}>
            <Link to={to} search={search} className={links.row}>
              <Icon name={icon} />
              <span>
                <strong className="tabular">{formatNumber(count)}</strong> {label}
              </span>
              <Icon name="next" size={14} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
