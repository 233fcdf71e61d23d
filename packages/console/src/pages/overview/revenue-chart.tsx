import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { countOf } from '../../format/count-of.ts';
import { formatMoney, formatShortMoney } from '../../format/format-money.ts';
import { lazily } from '../../format/lazily.ts';
import { locale } from '../../format/locale.ts';
import { texts } from '../../texts/overview.ts';
import { areaPath, chartTicks, linePath, type Position, placeLabels, type Size } from './chart-geometry.ts';
import type { ComparedPoint } from './compare-periods.ts';
import type { Period } from './period.ts';
import classes from './revenue-chart.module.css';

interface RevenueChartProps {
  readonly points: readonly ComparedPoint[];
  readonly currency: string;
  readonly period: Period;
}

const dayLabel = lazily(
  () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const monthLabel = lazily(
  () => new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
);
const height = 232;
const labelWidth = 74;

/**
 * Placed and paid revenue over time, with the period before as a grey line. The last point is not over, so the way to it is dashed. The
 * arrow keys move from point to point.
 */
export function RevenueChart({ points, currency, period }: RevenueChartProps) {
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const size: Size = { width: Math.max(width - labelWidth, 1), height: height - 28 };
  const ticks = chartTicks(
    Math.max(...points.flatMap(({ revenue, previousRevenue }) => [revenue, previousRevenue])),
  );
  const top = ticks.at(-1) ?? 1;
  const label = (date: string) => (period === 'month' ? monthLabel : dayLabel)().format(new Date(date));
  const isUnfinished = (index: number | null) => (index ?? points.length - 1) === points.length - 1;
  const xOf = (index: number) => (points.length < 2 ? 0 : (index * size.width) / (points.length - 1));
  const yOf = (value: number) => size.height - (value / top) * size.height;
  const current = points.map(({ revenue }, index) => ({ x: xOf(index), y: yOf(revenue) }));
  const paid = points.map(({ paidRevenue }, index) => ({ x: xOf(index), y: yOf(paidRevenue) }));
  const previous = points.map(({ previousRevenue }, index) => ({ x: xOf(index), y: yOf(previousRevenue) }));
  const point = chosen === null ? undefined : points[chosen];

  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - labelWidth;
    const index = Math.round((x / size.width) * (points.length - 1));
    setChosen(Math.min(Math.max(index, 0), points.length - 1));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') setChosen(null);
    if (step === undefined) return;
    event.preventDefault();
    setChosen(Math.min(Math.max((chosen ?? points.length - 1) + step, 0), points.length - 1));
  };

  return (
    <figure className={classes.figure}>
      <div
        ref={ref}
        className={classes.plot}
        role="slider"
        aria-label={texts.revenueByTime}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(points.length - 1, 0)}
        aria-valuenow={chosen ?? Math.max(points.length - 1, 0)}
        aria-valuetext={describe(points[chosen ?? points.length - 1], currency, label, isUnfinished(chosen))}
        tabIndex={0}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        onKeyDown={onKeyDown}
      >
        <svg width="100%" height={height} aria-hidden="true">
          <defs>
            <linearGradient id="revenue-fill" x1="0" x2="0" y1="0" y2="1">
              <stop offset="0%" stopColor="currentColor" stopOpacity="0.28" />
              <stop offset="100%" stopColor="currentColor" stopOpacity="0" />
            </linearGradient>
            <pattern
              id="unfinished-fill"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line className={classes.hatch} y2="6" />
            </pattern>
          </defs>
          {/* Until the width is known, there is nothing to draw. */}
          <g transform={`translate(${labelWidth} 6)`} visibility={width > 0 ? 'visible' : 'hidden'}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line className={classes.grid} x1={0} x2={size.width} y1={yOf(tick)} y2={yOf(tick)} />
                <text className={classes.label} x={-12} y={yOf(tick)} dy="0.32em" textAnchor="end">
                  {formatShortMoney(tick, currency)}
                </text>
              </g>
            ))}
            {placeLabels(points.length, size.width).map((index) => (
              <text
                key={index}
                className={classes.label}
                x={xOf(index)}
                y={size.height + 20}
                textAnchor={index === points.length - 1 ? 'end' : 'middle'}
              >
                {label(points[index]?.date ?? '')}
              </text>
            ))}
            <path className={classes.previous} d={linePath(previous)} />
            <path
              className={classes.area}
              d={areaPath(current.slice(0, -1), size.height)}
              fill="url(#revenue-fill)"
            />
            <path
              className={classes.area}
              d={areaPath(current.slice(-2), size.height)}
              fill="url(#unfinished-fill)"
            />
            <Line positions={current} />
            <Line positions={paid} isPaid />
            {chosen !== null && (
              <>
                <line className={classes.cursor} x1={xOf(chosen)} x2={xOf(chosen)} y1={0} y2={size.height} />
                <circle className={classes.dot} cx={xOf(chosen)} cy={current[chosen]?.y ?? 0} r={4.5} />
              </>
            )}
          </g>
        </svg>
        {point && chosen !== null && (
          <div
            className={classes.tip}
            data-side={chosen > points.length / 2 ? 'left' : 'right'}
            style={{ left: labelWidth + xOf(chosen) }}
          >
            <strong>
              {label(point.date)}
              {isUnfinished(chosen) && texts.soFar}
            </strong>
            <span>
              {texts.revenuePlacedOrders(
                formatMoney(point.revenue, currency),
                countOf(point.orders, 'order'),
              )}
            </span>
            <span>{texts.paidRevenueOfItPaid(formatMoney(point.paidRevenue, currency))}</span>
            <span className={classes.before}>
              {texts.beforePreviousRevenue(formatMoney(point.previousRevenue, currency))}
            </span>
          </div>
        )}
      </div>
      <figcaption className={classes.legend}>
        <span data-line="current">{texts.placed}</span>
        <span data-line="paid">{texts.paid}</span>
        <span data-line="previous">{texts.placedInPeriodBefore}</span>
        <span data-line="unfinished">{texts.notOverYet}</span>
      </figcaption>
    </figure>
  );
}

/** A line whose last part is dashed. */
function Line({ positions, isPaid }: { readonly positions: readonly Position[]; readonly isPaid?: boolean }) {
  return (
    <g className={classes.line} data-paid={isPaid}>
      <path d={linePath(positions.slice(0, -1))} />
      <path d={linePath(positions.slice(-2))} data-unfinished />
    </g>
  );
}

function describe(
  point: ComparedPoint | undefined,
  currency: string,
  label: (date: string) => string,
  isUnfinished: boolean,
): string | undefined {
  return (
    point &&
    texts.pointInWords(
      label(point.date),
      isUnfinished ? ' so far' : '',
      formatMoney(point.revenue, currency),
      formatMoney(point.paidRevenue, currency),
      countOf(point.orders, 'order'),
      formatMoney(point.previousRevenue, currency),
    )
  );
}
