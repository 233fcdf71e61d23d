import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { formatNumber } from '../../../format/format-number.ts';
import { texts } from '../../../texts/admin-overview.ts';
import classes from './admin-overview-page.module.css';
import { nameWait } from './name-wait.ts';
import { type Waiting, waitingIn, waitingQueues } from './waiting-queues.ts';

/** What waits for administrators, and for how long. */
export function AdminOverviewPage() {
  const queries = useQueries({ queries: waitingQueues.map(waitingIn) });
  const failed = queries.find(({ error, data }) => error && !data);
  const retry = () => {
    for (const { refetch } of queries) void refetch();
  };
  return (
    <>
      <PageHeader title={texts.overview} description={texts.whatWaitsForDecisionOrFor} />
      {failed?.error && (
        <ErrorNotice title={texts.notEverythingCouldBeCounted} error={failed.error} onRetry={retry} />
      )}
      <ul className={classes.queues}>
        {waitingQueues.map(({ title, hint, icon, to, search }, index) => {
          const waiting = queries[index]?.data;
          return (
            <li key={title}>
              <Link
                to={to}
                search={search}
                className={classes.queue}
                data-empty={waiting?.count === 0 || undefined}
              >
                <h2 className={classes.title}>
                  <Icon name={icon} /> {title}
                </h2>
                <span className={`tabular ${classes.count}`}>
                  {waiting ? formatNumber(waiting.count) : <Skeleton height={36} width={64} />}
                </span>
                <span className={classes.wait}>{waiting && <Wait {...waiting} />}</span>
                <span className={classes.hint}>{hint}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Wait({ count, oldestAt }: Waiting) {
  if (oldestAt === null) return texts.nothingWaits;
  const time = nameWait(oldestAt);
  return count === 1 ? texts.itWaitsFor(time) : texts.oldestWaitsFor(time);
}
