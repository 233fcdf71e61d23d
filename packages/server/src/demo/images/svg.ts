import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../generate/random.ts';

/** The width and height of every drawing, in its own units. */
export const size = 800;

type Attributes = Readonly<Record<string, string | number>>;

/** Writes an element. The drawings contain no text that anybody else has written, so nothing is escaped. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${format(value)}"`);
  return content.length === 0
    ? `<${name}${text.join('')}/>`
    : `<${name}${text.join('')}>${content.join('')}</${name}>`;
}

/** Writes a number with one decimal, which is a tenth of a pixel at the full size. */
export function format(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.round(value * 10) / 10);
}

/** Writes a path through points. */
export function polygon(points: readonly Point[], isClosed = true): string {
  const steps = points.map(([x, y]) => `${format(x)} ${format(y)}`);
  return `M${steps.join('L')}${isClosed ? 'Z' : ''}`;
}

export type Point = readonly [x: number, y: number];

/** Writes a smooth line through points: a quadratic curve from the middle of each step to the middle of the next. */
export function smoothLine(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const curves = rest.slice(0, -1).map(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] as Point;
    return `Q${format(x)} ${format(y)} ${format((x + nextX) / 2)} ${format((y + nextY) / 2)}`;
  });
  const [lastX, lastY] = rest.at(-1) ?? first;
  return `M${format(first[0])} ${format(first[1])}${curves.join('')}L${format(lastX)} ${format(lastY)}`;
}

interface Stop {
  readonly at: number;
  readonly color: string;
  readonly opacity?: number;
}

const writeStops = (stops: readonly Stop[]) =>
  stops.map(({ at, color, opacity }) =>
    element('stop', {
      offset: String(at),
      'stop-color': color,
      ...(opacity === undefined ? {} : { 'stop-opacity': String(opacity) }),
    }),
  );

export function radialGradient(id: string, shape: Attributes, stops: readonly Stop[]): string {
  return element('radialGradient', { id, ...shape }, ...writeStops(stops));
}

export function linearGradient(id: string, shape: Attributes, stops: readonly Stop[]): string {
  return element('linearGradient', { id, ...shape }, ...writeStops(stops));
}

/** Mixes two colors, given as `#rrggbb`. A share of 0 is the first one. */
export function mix(first: string, second: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [first, second].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** A generator that gives the same numbers for the same name. */
export function randomOf(name: string): Random {
  return createRandom(createHash('sha256').update(name).digest().readInt32LE());
}

/** Writes a document. It has neither scripts nor style sheets, and loads nothing. */
export function drawing(definitions: readonly string[], ...content: string[]): string {
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size} ${size}`, width: size, height: size },
    element('defs', {}, ...definitions),
    ...content,
  );
}
