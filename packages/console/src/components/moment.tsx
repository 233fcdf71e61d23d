import { formatAge, formatMoment, formatUtc } from '../format/format-moment.ts';

interface MomentProps {
  readonly time: string;
  /** `5 minutes ago` in place of day and hour. */
  readonly isRelative?: boolean;
}

/** A time in the visitor's zone, and in UTC while the pointer rests on it. */
export function Moment({ time, isRelative = false }: MomentProps) {
  return (
    <time dateTime={time} title={isRelative ? `${formatMoment(time)} · ${formatUtc(time)}` : formatUtc(time)}>
      {isRelative ? formatAge(time) : formatMoment(time)}
    </time>
  );
}
