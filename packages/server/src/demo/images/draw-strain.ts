import type { CatalogueStrain } from '../catalogue/catalogue.ts';
import type { Random } from '../generate/random.ts';
import { getPalette, type Landscape, type Palette } from './palettes.ts';
import {
  drawing,
  element,
  format,
  linearGradient,
  mix,
  type Point,
  polygon,
  radialGradient,
  randomOf,
  size,
  smoothLine,
} from './svg.ts';

/** The form of a leaf: sativas have many slender leaflets, indicas few broad ones. */
interface LeafForm {
  readonly leaflets: number;
  /** Half the width of a leaflet that is 300 units long. */
  readonly halfWidth: number;
  readonly length: number;
  /** The angle between the outermost leaflet and the middle one, in degrees. */
  readonly spread: number;
}

const leafForms: Readonly<Record<CatalogueStrain['type'], LeafForm>> = {
  SATIVA: { leaflets: 9, halfWidth: 25, length: 340, spread: 118 },
  HYBRID: { leaflets: 7, halfWidth: 36, length: 318, spread: 106 },
  INDICA: { leaflets: 7, halfWidth: 52, length: 290, spread: 98 },
};

/** The colors of the sky, from above to the horizon: by night, at dusk and by day. */
const skies: readonly ((palette: Palette) => readonly [string, string])[] = [
  ({ sky: [dark, bright] }) => [mix(dark, '#060814', 0.3), mix(dark, bright, 0.55)],
  ({ sky: [dark, bright], accent }) => [dark, mix(bright, accent, 0.3)],
  ({ sky: [dark, bright] }) => [mix(dark, bright, 0.3), bright],
  ({ sky: [dark, bright], light }) => [mix(dark, bright, 0.55), mix(bright, light, 0.4)],
];

const horizon = 590;
/** Where the leaflets meet. */
const heart: Point = [size / 2, 500];

/** Draws a leaf of the strain in the landscape of its planet. */
export function drawStrain({ name, type, planet }: CatalogueStrain): string {
  const palette = getPalette(planet);
  const random = randomOf(`strain ${name}`);
  // Strains of one planet differ in the time of the day.
  const [top, bottom] = random.pick(skies)(palette);
  const leaf = mix(palette.leaf, random.pick([palette.accent, palette.ground[2], palette.leaf]), 0.22);
  const sun = { cx: random.integer(250, 550), cy: random.integer(215, 330), r: random.integer(120, 175) };
  const definitions = [
    linearGradient('sky', { x1: 0, y1: 0, x2: 0, y2: 1 }, [
      { at: 0, color: top },
      { at: 0.75, color: bottom },
      { at: 1, color: mix(bottom, palette.light, 0.3) },
    ]),
    radialGradient('sun', { cx: '42%', cy: '38%', r: '65%' }, [
      { at: 0, color: palette.light },
      { at: 1, color: mix(palette.light, palette.accent, 0.55) },
    ]),
    radialGradient('glow', { cx: '50%', cy: '50%', r: '50%' }, [
      { at: 0, color: palette.light, opacity: 0.55 },
      { at: 1, color: palette.light, opacity: 0 },
    ]),
    linearGradient('leaf', { x1: 0, y1: 1, x2: 0, y2: 0 }, [
      { at: 0, color: mix(leaf, '#0c1f18', 0.45) },
      { at: 0.55, color: leaf },
      { at: 1, color: mix(leaf, palette.light, 0.42) },
    ]),
    element('g', { id: 'leaflet' }, drawLeaflet(leafForms[type], palette)),
    element('path', { id: 'outline', d: outlineLeaflet(leafForms[type]) }),
  ];
  const tilt = random.integer(-9, 9);
  return drawing(
    definitions,
    element('rect', { width: size, height: size, fill: 'url(#sky)' }),
    drawSparks(random, palette.light, 46),
    element('circle', { cx: sun.cx, cy: sun.cy, r: sun.r * 2, fill: 'url(#glow)' }),
    element('circle', { ...sun, fill: 'url(#sun)' }),
    random.chance(0.4) ? drawHalo(sun, palette) : '',
    landscapes[palette.landscape](random, palette),
    drawPlant(random, leafForms[type], palette, tilt),
    drawPollen(random, palette),
  );
}

/** Half the width of a leaflet at a share of its length, with teeth along the edge. */
function widthAt(share: number, { halfWidth }: LeafForm): number {
  return halfWidth * Math.sin(Math.PI * share ** 0.82) ** 0.85;
}

/** The outline of a leaflet that grows upwards from the origin. */
function outlineLeaflet(form: LeafForm): string {
  const teeth = 13;
  const side: Point[] = [];
  for (let tooth = 1; tooth <= teeth; tooth++) {
    const share = tooth / (teeth + 1);
    const width = widthAt(share, form);
    // Each tooth points to the tip: out at its end, and back in right behind it.
    side.push([width, -form.length * (share + 0.028)], [width * 0.8, -form.length * (share + 0.034)]);
  }
  const mirrored = [...side].reverse().map(([x, y]): Point => [-x, y]);
  return polygon([[0, 0], ...side, [0, -form.length * 1.03], ...mirrored]);
}

function drawLeaflet(form: LeafForm, { light }: Palette): string {
  const veins = [0.16, 0.3, 0.44, 0.58, 0.72].flatMap((share) =>
    [-1, 1].map((side) => {
      const width = widthAt(share + 0.12, form) * 0.74 * side;
      return `M0 ${format(-form.length * share)}L${format(width)} ${format(-form.length * (share + 0.13))}`;
    }),
  );
  return [
    element('path', { d: outlineLeaflet(form), fill: 'url(#leaf)' }),
    element('path', {
      d: `M0 0L0 ${format(-form.length * 0.97)}${veins.join('')}`,
      fill: 'none',
      stroke: light,
      'stroke-width': 2.2,
      opacity: '.3',
    }),
  ].join('');
}

function drawPlant(random: Random, form: LeafForm, palette: Palette, tilt: number): string {
  const [x, y] = heart;
  const middle = (form.leaflets - 1) / 2;
  const leaflets = Array.from({ length: form.leaflets }, (_, index) => {
    const place = (index - middle) / middle;
    const angle = place * form.spread;
    // The outer ones are shorter, and the last pair points down.
    const scale = 1 - Math.abs(place) ** 1.5 * 0.56;
    return { angle, scale, depth: Math.abs(place) };
  }).sort((first, second) => second.depth - first.depth);
  const place = (id: string) =>
    leaflets.map(({ angle, scale }) =>
      element('use', { href: `#${id}`, transform: `rotate(${format(angle)}) scale(${scale.toFixed(3)})` }),
    );
  const stem = `M0 -6C${random.integer(-14, 14)} 90 ${random.integer(-40, 40)} 180 ${random.integer(-30, 30)} 330`;
  return [
    element(
      'g',
      { transform: `translate(${x + 8} ${y + 16}) rotate(${tilt})`, fill: '#0a0f1a', opacity: '.13' },
      ...place('outline'),
    ),
    element(
      'g',
      { transform: `translate(${x} ${y}) rotate(${tilt})` },
      element('path', {
        d: stem,
        fill: 'none',
        stroke: mix(palette.leaf, '#1a2a18', 0.4),
        'stroke-width': 13,
        'stroke-linecap': 'round',
      }),
      ...place('leaflet'),
      drawBud(random, palette),
    ),
  ].join('');
}

/** The flower where the leaflets meet. */
function drawBud(random: Random, { leaf, accent, light }: Palette): string {
  const grains = Array.from({ length: 34 }, (_, index) => {
    const angle = index * 2.399;
    const distance = Math.sqrt(index) * 7.2;
    return element('circle', {
      cx: Math.cos(angle) * distance,
      cy: Math.sin(angle) * distance * 1.15 - 8,
      r: 9 - distance * 0.08,
      fill: random.pick([mix(leaf, accent, 0.55), mix(leaf, light, 0.35), accent, mix(accent, light, 0.5)]),
    });
  });
  return grains.reverse().join('');
}

/** Lights in the air in front of the leaf. */
function drawPollen(random: Random, { light, accent }: Palette): string {
  return Array.from({ length: 22 }, () =>
    element('circle', {
      cx: random.integer(30, size - 30),
      cy: random.integer(120, size - 40),
      r: 1.5 + random.next() * 4,
      fill: random.pick([light, accent]),
      opacity: String(Math.round((0.25 + random.next() * 0.55) * 100) / 100),
    }),
  ).join('');
}

function drawSparks(random: Random, color: string, count: number): string {
  const sparks = Array.from({ length: count }, () =>
    element('circle', {
      cx: random.integer(0, size),
      cy: random.integer(0, horizon - 120),
      r: 0.6 + random.next() * 1.4,
      opacity: String(Math.round((0.2 + random.next() * 0.5) * 100) / 100),
    }),
  );
  return element('g', { fill: color }, ...sparks);
}

function drawHalo({ cx, cy, r }: Record<'cx' | 'cy' | 'r', number>, { light }: Palette): string {
  return [1.22, 1.45]
    .map((scale) =>
      element('circle', {
        cx,
        cy,
        r: r * scale,
        fill: 'none',
        stroke: light,
        'stroke-width': 2,
        opacity: '.35',
      }),
    )
    .join('');
}

/** A layer of the ground below a line. */
function layer(points: readonly Point[], fill: string, isSmooth = true): string {
  const line = isSmooth ? smoothLine(points) : polygon(points, false);
  return element('path', { d: `${line}L${size + 60} ${size}L-60 ${size}Z`, fill });
}

const ridge = (random: Random, y: number, height: number, steps: number): Point[] =>
  Array.from(
    { length: steps + 1 },
    (_, index): Point => [-60 + (index * (size + 120)) / steps, y + (random.next() - 0.5) * 2 * height],
  );

/** Three layers, from the far one in the haze to the near one. */
const shades = ({ ground, sky }: Palette): [string, string, string] => [
  mix(ground[1], sky[1], 0.55),
  mix(ground[1], sky[1], 0.18),
  ground[0],
];

const landscapes: Readonly<Record<Landscape, (random: Random, palette: Palette) => string>> = {
  hills: (random, palette) =>
    shades(palette)
      .map((fill, index) => layer(ridge(random, horizon + index * 65, 46, 6), fill))
      .join(''),

  peaks: (random, palette) => {
    const [far, middle, near] = shades(palette);
    const range = (y: number, height: number) =>
      ridge(random, y, height * 0.25, 10).map(
        ([x, top], index): Point => [
          x,
          index % 2 === 0 ? top + height * 0.35 : top - height * (0.4 + random.next() * 0.5),
        ],
      );
    return [
      layer(range(horizon, 190), far, false),
      layer(range(horizon + 75, 150), middle, false),
      layer(ridge(random, horizon + 135, 22, 6), near),
    ].join('');
  },

  dunes: (random, palette) =>
    shades(palette)
      .map((fill, index) => {
        const y = horizon + 5 + index * 70;
        const crest = random.integer(200, 600);
        const d = `M-60 ${y + 60}C${crest - 220} ${y + 50} ${crest - 90} ${y - 40} ${crest} ${y - 30}C${crest + 60} ${y + 25} ${crest + 190} ${y + 62} ${size + 60} ${y + 30}L${size + 60} ${size}L-60 ${size}Z`;
        return element('path', { d, fill });
      })
      .join(''),

  water: (random, palette) => {
    const [far, middle] = shades(palette);
    const surface = mix(palette.ground[0], palette.sky[1], 0.3);
    const glints = Array.from({ length: 26 }, () => {
      const y = random.integer(horizon + 30, size - 8);
      const width = random.integer(30, 150) * ((y - horizon) / 160 + 0.3);
      return element('rect', {
        x: random.integer(-40, size),
        y,
        width,
        height: 2 + (y - horizon) / 60,
        rx: 3,
        opacity: String(Math.round((0.1 + random.next() * 0.28) * 100) / 100),
      });
    });
    return [
      layer(ridge(random, horizon - 12, 26, 7), far),
      layer(ridge(random, horizon + 14, 10, 9), mix(far, middle, 0.6)),
      element('rect', { y: horizon + 18, width: size, height: size - horizon, fill: surface }),
      element('g', { fill: palette.light }, ...glints),
    ].join('');
  },

  trees: (random, palette) =>
    shades(palette)
      .map((fill, index) => {
        const y = horizon + index * 62;
        const crowns = Array.from({ length: 15 }, (_, tree) => {
          const height = random.integer(48, 120) * (0.8 + index * 0.28);
          const x = -30 + tree * 62 + random.integer(-18, 18);
          const half = height * (0.26 + random.next() * 0.08);
          return `M${format(x - half)} ${y + 70}Q${format(x - half * 0.35)} ${format(y - height * 0.45)} ${x} ${format(y - height)}Q${format(x + half * 0.35)} ${format(y - height * 0.45)} ${format(x + half)} ${y + 70}Z`;
        });
        return [
          element('path', { d: crowns.join(''), fill }),
          layer(ridge(random, y + 24, 10, 6), fill),
        ].join('');
      })
      .join(''),

  clouds: (random, palette) =>
    shades(palette)
      .map((_, index) => {
        const y = horizon + index * 66;
        const fill = mix(palette.ground[2], palette.light, 0.75 - index * 0.28);
        const puffs = Array.from({ length: 11 }, (__, puff) =>
          element('circle', {
            cx: -20 + puff * 84 + random.integer(-20, 20),
            cy: y + 30,
            r: random.integer(44, 84),
          }),
        );
        return element(
          'g',
          { fill, opacity: '.93' },
          ...puffs,
          element('rect', { y: y + 30, width: size, height: size - y }),
        );
      })
      .join(''),
};
