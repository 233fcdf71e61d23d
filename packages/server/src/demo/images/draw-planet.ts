import type { CataloguePlanet } from '../catalogue/planets.ts';
import type { Random } from '../generate/random.ts';
import { getPalette, type Palette, type Surface } from './palettes.ts';
import {
  drawing,
  element,
  format,
  linearGradient,
  mix,
  type Point,
  radialGradient,
  randomOf,
  size,
  smoothLine,
} from './svg.ts';

const center = size / 2;
const radius = 235;

/** Draws a planet among stars, lit from the upper left. */
export function drawPlanet({ number, name }: CataloguePlanet): string {
  const palette = getPalette(number);
  const random = randomOf(`planet ${name}`);
  const { sky, ground, light, hasRing } = palette;
  const space = mix(sky[0], '#05060f', 0.62);
  const tilt = random.integer(-24, 24);
  const definitions = [
    radialGradient('space', { cx: '50%', cy: '45%', r: '75%' }, [
      { at: 0, color: mix(space, sky[1], 0.28) },
      { at: 0.55, color: mix(space, sky[0], 0.35) },
      { at: 1, color: space },
    ]),
    radialGradient('air', { cx: '50%', cy: '50%', r: '50%' }, [
      { at: 0.74, color: light, opacity: 0.5 },
      { at: 0.8, color: mix(light, palette.accent, 0.4), opacity: 0.22 },
      { at: 0.88, color: palette.accent, opacity: 0.08 },
      { at: 1, color: palette.accent, opacity: 0 },
    ]),
    linearGradient('base', { x1: 0, y1: 0, x2: 0, y2: 1 }, [
      { at: 0, color: mix(ground[1], ground[2], 0.5) },
      { at: 0.5, color: ground[1] },
      { at: 1, color: mix(ground[0], ground[1], 0.5) },
    ]),
    radialGradient('shade', { cx: '34%', cy: '30%', r: '78%' }, [
      { at: 0, color: light, opacity: 0.42 },
      { at: 0.36, color: light, opacity: 0 },
      { at: 0.62, color: space, opacity: 0.12 },
      { at: 1, color: space, opacity: 0.88 },
    ]),
    element('clipPath', { id: 'disc' }, element('circle', { cx: center, cy: center, r: radius })),
    // The ring passes behind the upper half of the planet and in front of the lower one.
    element(
      'clipPath',
      { id: 'front' },
      element('rect', { x: -center, y: 0, width: size * 2, height: size }),
    ),
  ];
  const ring = hasRing ? drawRing(palette) : '';
  const ringAt = (clip: string) =>
    hasRing ? element('g', { transform: `translate(${center} ${center}) rotate(${tilt - 8})` }, clip) : '';
  return drawing(
    definitions,
    element('rect', { width: size, height: size, fill: 'url(#space)' }),
    drawStars(random, light),
    drawMoons(random, palette, -1),
    ringAt(ring),
    element('circle', { cx: center, cy: center, r: radius * 1.28, fill: 'url(#air)' }),
    element(
      'g',
      { 'clip-path': 'url(#disc)' },
      element('circle', { cx: center, cy: center, r: radius, fill: 'url(#base)' }),
      element(
        'g',
        { transform: `rotate(${tilt} ${center} ${center})` },
        surfaces[palette.surface](random, palette),
      ),
      element('circle', { cx: center, cy: center, r: radius + 1, fill: 'url(#shade)' }),
    ),
    ringAt(element('g', { 'clip-path': 'url(#front)' }, ring)),
    drawMoons(random, palette, 1),
  );
}

const surfaces: Readonly<Record<Surface, (random: Random, palette: Palette) => string>> = {
  bands: (random, { ground, light, accent }) => {
    const bands: string[] = [];
    for (let y = center - radius; y < center + radius; ) {
      const height = random.integer(14, 62);
      const fill = random.pick([ground[0], ground[1], ground[2], mix(ground[2], light, 0.5)]);
      bands.push(
        element('path', {
          d: `${wave(random, y, 9)}L${size} ${y + height + 30}L0 ${y + height + 30}Z`,
          fill,
          opacity: '.8',
        }),
      );
      y += height;
    }
    const storm = { cx: random.integer(300, 500), cy: random.integer(430, 540) };
    return [
      ...bands,
      element('ellipse', { ...storm, rx: 58, ry: 27, fill: mix(accent, ground[2], 0.35), opacity: '.9' }),
      element('ellipse', { ...storm, rx: 38, ry: 15, fill: mix(accent, light, 0.45), opacity: '.85' }),
    ].join('');
  },

  land: (random, { ground, light }) => {
    const sea = mix(ground[0], '#0b2038', 0.35);
    const continents = Array.from({ length: 8 }, () =>
      blob(random, {
        reach: [45, 125],
        fill: random.pick([ground[1], ground[2], mix(ground[1], ground[2], 0.5)]),
      }),
    );
    return [
      element('rect', { width: size, height: size, fill: sea }),
      ...continents,
      ...Array.from({ length: 5 }, () => blob(random, { reach: [14, 40], fill: ground[2] })),
      ...drawWisps(random, light, 7),
    ].join('');
  },

  dunes: (random, { ground, light }) => {
    const lines: string[] = [];
    for (let y = center - radius - 20; y < center + radius; y += random.integer(16, 30)) {
      const fill = mix(ground[0], ground[2], random.next());
      lines.push(
        element('path', { d: `${wave(random, y, 22)}L${size} ${size}L0 ${size}Z`, fill, opacity: '.72' }),
      );
    }
    return [...lines, ...drawWisps(random, light, 3)].join('');
  },

  lakes: (random, { ground, light, accent }) => {
    const lakes = Array.from({ length: 26 }, () => {
      const [cx, cy] = somewhere(random, radius);
      const rx = random.integer(12, 58);
      const place = { cx, cy, rx, ry: rx * (0.32 + random.next() * 0.3) };
      return [
        element('ellipse', { ...place, rx: rx + 5, ry: place.ry + 4, fill: ground[2], opacity: '.7' }),
        element('ellipse', { ...place, fill: mix(ground[0], accent, 0.1), opacity: '.9' }),
        element('ellipse', {
          cx: cx - rx * 0.2,
          cy: cy - place.ry * 0.25,
          rx: rx * 0.5,
          ry: place.ry * 0.35,
          fill: mix(ground[1], light, 0.25),
          opacity: '.5',
        }),
      ].join('');
    });
    return [...lakes, ...drawWisps(random, light, 5)].join('');
  },

  clouds: (random, { ground, light }) =>
    [
      ...Array.from({ length: 6 }, () => blob(random, { reach: [40, 110], fill: ground[0] })),
      ...drawWisps(random, mix(ground[2], light, 0.7), 22),
    ].join(''),

  canyons: (random, { ground, light }) => {
    const canyons = Array.from({ length: 11 }, () => {
      const [x, y] = somewhere(random, radius * 0.9);
      const points: Point[] = [[x - 170, y + random.integer(-30, 30)]];
      for (let step = 0; step < 7; step++) {
        const [lastX, lastY] = points.at(-1) as Point;
        points.push([lastX + random.integer(30, 66), lastY + random.integer(-34, 34)]);
      }
      const d = smoothLine(points);
      const width = random.integer(5, 15);
      const line = { fill: 'none', 'stroke-linecap': 'round', d };
      return [
        element('path', {
          ...line,
          stroke: mix(ground[2], light, 0.3),
          'stroke-width': width + 6,
          opacity: '.45',
        }),
        element('path', { ...line, stroke: ground[0], 'stroke-width': width, opacity: '.9' }),
      ].join('');
    });
    return [
      ...Array.from({ length: 6 }, () => blob(random, { reach: [50, 120], fill: ground[2], opacity: '.35' })),
      ...canyons,
    ].join('');
  },
};

function wave(random: Random, y: number, height: number): string {
  const points = Array.from(
    { length: 9 },
    (_, index): Point => [index * 110 - 40, y + (random.next() - 0.5) * 2 * height],
  );
  return smoothLine(points);
}

function somewhere(random: Random, reach: number): Point {
  const angle = random.next() * Math.PI * 2;
  const distance = Math.sqrt(random.next()) * reach;
  return [center + Math.cos(angle) * distance, center + Math.sin(angle) * distance];
}

interface Blob {
  readonly reach: readonly [number, number];
  readonly fill: string;
  readonly opacity?: string;
}

/** A rounded form with an irregular outline. */
function blob(random: Random, { reach: [least, most], fill, opacity = '.9' }: Blob): string {
  const [x, y] = somewhere(random, radius);
  const reach = random.integer(least, most);
  const corners = 11;
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * Math.PI * 2;
    const distance = reach * (0.55 + random.next() * 0.6);
    return [x + Math.cos(angle) * distance * 1.25, y + Math.sin(angle) * distance * 0.75];
  });
  const closed = [...points, ...points.slice(0, 3)];
  return element('path', { d: `${smoothLine(closed)}Z`, fill, opacity });
}

function drawWisps(random: Random, color: string, count: number): string[] {
  return Array.from({ length: count }, () => {
    const [cx, cy] = somewhere(random, radius);
    const rx = random.integer(36, 120);
    return element('ellipse', { cx, cy, rx, ry: random.integer(4, 13), fill: color, opacity: '.36' });
  });
}

function drawStars(random: Random, color: string): string {
  const stars = Array.from({ length: 110 }, () =>
    element('circle', {
      cx: random.integer(0, size),
      cy: random.integer(0, size),
      r: random.chance(0.1) ? 2.2 : 0.7 + random.next() * 0.8,
      opacity: String(Math.round((0.25 + random.next() * 0.7) * 100) / 100),
    }),
  );
  return element('g', { fill: color }, ...stars);
}

/** The rings of a planet around the origin, seen from slightly above. */
function drawRing({ ground, light, accent }: Palette): string {
  const rings: [number, number, string, string][] = [
    [1.5, 20, mix(ground[2], light, 0.4), '.8'],
    [1.64, 7, accent, '.75'],
    [1.76, 14, mix(ground[1], light, 0.3), '.6'],
  ];
  return rings
    .map(([reach, width, stroke, opacity]) =>
      element('ellipse', {
        rx: radius * reach,
        ry: radius * reach * 0.2,
        fill: 'none',
        stroke,
        'stroke-width': width,
        opacity,
      }),
    )
    .join('');
}

/** The moons behind the planet (-1) or in front of it (1). */
function drawMoons(random: Random, { ground, light, moons }: Palette, side: -1 | 1): string {
  const own = Array.from({ length: moons }, (_, index) => index).filter(
    (index) => (index % 2 === 0 ? -1 : 1) === side,
  );
  return own
    .map((index) => {
      const angle = (index * 2.3 + random.next() * 0.9 - 1.1) * side;
      const distance = radius * (1.26 + index * 0.09);
      const r = 34 - index * 9;
      const [cx, cy] = [center + Math.cos(angle) * distance, center + Math.sin(angle) * distance * 0.95];
      const top = `${format(cx)} ${format(cy - r)}`;
      return [
        element('circle', { cx, cy, r, fill: mix(ground[2], light, 0.35) }),
        element('path', {
          d: `M${top}A${r} ${r} 0 0 1 ${format(cx)} ${format(cy + r)}A${r * 1.5} ${r * 1.5} 0 0 0 ${top}Z`,
          fill: '#0a0a18',
          opacity: '.55',
        }),
      ].join('');
    })
    .join('');
}
