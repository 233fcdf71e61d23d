import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatMoney, formatShortMoney } from '../../format/format-money.ts';
import { locale } from '../../format/locale.ts';
import { areaPath, chartTicks, linePath, placeLabels, type Size } from './chart-geometry.ts';
import type { ComparedPoint } from './compare-periods.ts';
import type { Period } from './period.ts';
import classes from './revenue-chart.module.css';

interface RevenueChartProps {
  readonly points: readonly ComparedPoint[];
  readonly currency: string;
  readonly period: Period;
}

const dayLabel = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthLabel = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const height = 232;
const labelWidth = 74;

/** Revenue over time, with the period before as a dashed line. The arrow keys move from point to point. */
export function RevenueChart({ points, currency, period }: RevenueChartProps) {
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const size: Size = { width: Math.max(width - labelWidth, 1), height: height - 28 };
  const ticks = chartTicks(
    Math.max(...points.flatMap(({ revenue, previousRevenue }) => [revenue, previousRevenue])),
  );
  const top = ticks.at(-1) ?? 1;
  const label = (date: string) => (period === 'month' ? monthLabel : dayLabel).format(new Date(date));
  const xOf = (index: number) => (points.length < 2 ? 0 : (index * size.width) / (points.length - 1));
  const yOf = (value: number) => size.height - (value / top) * size.height;
  const current = points.map(({ revenue }, index) => ({ x: xOf(index), y: yOf(revenue) }));
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
        aria-label="Revenue by time"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(points.length - 1, 0)}
        aria-valuenow={chosen ?? Math.max(points.length - 1, 0)}
        aria-valuetext={describe(points[chosen ?? points.length - 1], currency, label)}
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
                textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
              >
                {label(points[index]?.date ?? '')}
              </text>
            ))}
            <path className={classes.previous} d={linePath(previous)} />
            <path className={classes.area} d={areaPath(current, size.height)} fill="url(#revenue-fill)" />
            <path className={classes.line} d={linePath(current)} />
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
            <strong>{label(point.date)}</strong>
            <span>
              {formatMoney(point.revenue, currency)} · {point.orders}{' '}
              {point.orders === 1 ? 'order' : 'orders'}
            </span>
            <span className={classes.before}>Before: {formatMoney(point.previousRevenue, currency)}</span>
          </div>
        )}
      </div>
      <figcaption className={classes.legend}>
        <span data-line="current">Revenue</span>
        <span data-line="previous">Period before</span>
      </figcaption>
    </figure>
  );
}

function describe(
  point: ComparedPoint | undefined,
  currency: string,
  label: (date: string) => string,
): string | undefined {
  return (
    point &&
    `${label(point.date)}: ${formatMoney(point.revenue, currency)}, ${point.orders} orders; before ${formatMoney(point.previousRevenue, currency)}`
  );
}
