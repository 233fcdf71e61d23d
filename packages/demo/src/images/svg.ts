import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../values/random.ts';

/** The width and height of every drawing, in its own units. */
export const size = 800;

export type Point = readonly [x: number, y: number];

/**
 * A template of SVG: joins lists, and writes numbers with one decimal, which is a tenth of a pixel at the full size. A line may be
 * broken before an element, a value or an attribute. The drawings contain no text that anybody else has written, so nothing
 * is escaped.
 */
export function svg(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  const raw = texts.map((text) => text.replaceAll(/\n\s*(?=<|$)/g, '').replaceAll(/\n\s*/g, ' '));
  return String.raw({ raw }, ...values.map(write));
}

function write(value: string | number | readonly string[]): string {
  if (typeof value === 'number') return String(Math.round(value * 10) / 10);
  return typeof value === 'string' ? value : value.join('');
}

/** Writes a document. It has neither scripts nor style sheets, and loads nothing. */
export function drawing(definitions: string, content: string): string {
  return svg`
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">
      <defs>${definitions}</defs>
      ${content}
    </svg>`;
}

export function repeat(count: number, draw: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

/** Writes a straight line from point to point. */
export function straightLine(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => svg`${x} ${y}`).join('L')}`;
}

/** Writes a smooth line through points: a quadratic curve from the middle of each step to the middle of the next. */
export function smoothLine(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const curves = rest.slice(0, -1).map(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] as Point;
    return svg`Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`;
  });
  const [lastX, lastY] = rest.at(-1) ?? first;
  return svg`M${first[0]} ${first[1]}${curves}L${lastX} ${lastY}`;
}

/** Writes the stops of a gradient. */
export function stops(...list: readonly (readonly [at: number, color: string, opacity?: number])[]): string {
  const written = list.map(([at, color, opacity]) => {
    const more = opacity === undefined ? '' : ` stop-opacity="${opacity}"`;
    return `<stop offset="${at}" stop-color="${color}"${more}/>`;
  });
  return written.join('');
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

/** Picks an opacity with two decimals. */
export function pickOpacity(random: Random, least: number, range: number): string {
  return String(Math.round((least + random.next() * range) * 100) / 100);
}
