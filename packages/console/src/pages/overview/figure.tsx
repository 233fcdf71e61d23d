import { Icon } from '../../components/icon.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatPercent } from '../../format/format-number.ts';
import { texts } from '../../texts/overview.ts';
import classes from './figure.module.css';

interface FigureProps {
  readonly label: string;
  /** Undefined while it is loaded. */
  readonly value: string | undefined;
  readonly current: number | undefined;
  readonly previous: number | undefined;
  readonly previousLabel: string;
}

/** A number, and how it has changed. */
export function Figure({ label, value, current, previous, previousLabel }: FigureProps) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value ?? <Skeleton height={28} width={110} />}</div>
      <div className={classes.change}>
        {current !== undefined && previous !== undefined ? (
          <Change current={current} previous={previous} previousLabel={previousLabel} />
        ) : (
          <Skeleton height={14} width={130} />
        )}
      </div>
    </div>
  );
}

interface ChangeProps {
  readonly current: number;
  readonly previous: number;
  readonly previousLabel: string;
}

function Change({ current, previous, previousLabel }: ChangeProps) {
  if (previous === 0)
    return <span className={classes.than}>{texts.nothingInPreviousLabel(previousLabel)}</span>;
  const ratio = (current - previous) / previous;
  const text = formatPercent(Math.abs(ratio));
  const direction = ratio > 0 ? 'up' : ratio < 0 ? 'down' : 'same';
  return (
    <>
      <span className={classes.ratio} data-direction={direction}>
        {direction !== 'same' && <Icon name={direction} size={13} />}
        {direction === 'same' ? texts.noChange : `${direction === 'up' ? '+' : '−'}${text}`}
      </span>
      <span className={classes.than}>{texts.toPreviousLabel(previousLabel)}</span>
    </>
  );
}
