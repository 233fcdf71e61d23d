import type { CatalogueStrain, Look } from '../catalogue/catalogue.ts';
import type { Random } from '../values/random.ts';
import {
  drawing,
  mix,
  type Point,
  pickOpacity,
  randomOf,
  repeat,
  size,
  smoothLine,
  stops,
  straightLine,
  svg,
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
const skies: readonly ((look: Look) => readonly [string, string])[] = [
  ({ sky: [dark, bright] }) => [mix(dark, '#060814', 0.3), mix(dark, bright, 0.55)],
  ({ sky: [dark, bright], accent }) => [dark, mix(bright, accent, 0.3)],
  ({ sky: [dark, bright] }) => [mix(dark, bright, 0.3), bright],
  ({ sky: [dark, bright], light }) => [mix(dark, bright, 0.55), mix(bright, light, 0.4)],
];

const horizon = 590;
/** Where the leaflets meet. */
const heart: Point = [size / 2, 500];

/** Draws a leaf of the strain in the landscape of its planet. */
export function drawStrain({ name, type }: CatalogueStrain, look: Look): string {
  const { ground, light, accent } = look;
  const form = leafForms[type];
  const random = randomOf(`strain ${name}`);
  // Strains of one planet differ in the time of the day.
  const [top, bottom] = random.pick(skies)(look);
  const leaf = mix(look.leaf, random.pick([accent, ground[2], look.leaf]), 0.22);
  const [cx, cy, r] = [random.integer(250, 550), random.integer(215, 330), random.integer(120, 175)];
  const center = svg`cx="${cx}" cy="${cy}"`;
  const definitions = svg`
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      ${stops([0, top], [0.75, bottom], [1, mix(bottom, light, 0.3)])}
    </linearGradient>
    <radialGradient id="sun" cx="42%" cy="38%" r="65%">
      ${stops([0, light], [1, mix(light, accent, 0.55)])}
    </radialGradient>
    <radialGradient id="glow" cx="50%" cy="50%" r="50%">
      ${stops([0, light, 0.55], [1, light, 0])}
    </radialGradient>
    <linearGradient id="leaf" x1="0" y1="1" x2="0" y2="0">
      ${stops([0, mix(leaf, '#0c1f18', 0.45)], [0.55, leaf], [1, mix(leaf, light, 0.42)])}
    </linearGradient>
    <g id="leaflet">${drawLeaflet(form, light)}</g>
    <path id="outline" d="${outlineLeaflet(form)}"/>`;
  const tilt = random.integer(-9, 9);
  const halo = (scale: number) =>
    svg`<circle ${center} r="${r * scale}" fill="none" stroke="${light}" stroke-width="2" opacity=".35"/>`;
  return drawing(
    definitions,
    svg`
      <rect width="${size}" height="${size}" fill="url(#sky)"/>
      ${drawSparks(random, light)}
      <circle ${center} r="${r * 2}" fill="url(#glow)"/>
      <circle ${center} r="${r}" fill="url(#sun)"/>
      ${random.chance(0.4) ? [1.22, 1.45].map(halo) : ''}
      ${landscapes[look.landscape](random, look)}
      ${drawPlant(random, form, look, tilt)}
      ${drawPollen(random, look)}`,
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
  return `${straightLine([[0, 0], ...side, [0, -form.length * 1.03], ...mirrored])}Z`;
}

function drawLeaflet(form: LeafForm, light: string): string {
  const veins = [0.16, 0.3, 0.44, 0.58, 0.72].flatMap((share) =>
    [-1, 1].map((side) => {
      const width = widthAt(share + 0.12, form) * 0.74 * side;
      return svg`M0 ${-form.length * share}L${width} ${-form.length * (share + 0.13)}`;
    }),
  );
  return svg`
    <path d="${outlineLeaflet(form)}" fill="url(#leaf)"/>
    <path d="M0 0L0 ${-form.length * 0.97}${veins}" fill="none" stroke="${light}" stroke-width="2.2"
      opacity=".3"/>`;
}

function drawPlant(random: Random, form: LeafForm, look: Look, tilt: number): string {
  const [x, y] = heart;
  const middle = (form.leaflets - 1) / 2;
  const leaflets = Array.from({ length: form.leaflets }, (_, index) => {
    const place = (index - middle) / middle;
    // The outer ones are shorter, and the last pair points down.
    const scale = 1 - Math.abs(place) ** 1.5 * 0.56;
    return { angle: place * form.spread, scale, depth: Math.abs(place) };
  }).sort((first, second) => second.depth - first.depth);
  const place = (id: string) =>
    leaflets.map(
      ({ angle, scale }) => svg`<use href="#${id}" transform="rotate(${angle}) scale(${scale.toFixed(3)})"/>`,
    );
  const bends = [random.integer(-14, 14), random.integer(-40, 40), random.integer(-30, 30)] as const;
  const color = mix(look.leaf, '#1a2a18', 0.4);
  return svg`
    <g transform="translate(${x + 8} ${y + 16}) rotate(${tilt})" fill="#0a0f1a" opacity=".13">
      ${place('outline')}
    </g>
    <g transform="translate(${x} ${y}) rotate(${tilt})">
      <path d="M0 -6C${bends[0]} 90 ${bends[1]} 180 ${bends[2]} 330" fill="none" stroke="${color}"
        stroke-width="13" stroke-linecap="round"/>
      ${place('leaflet')}
      ${drawBud(random, look)}
    </g>`;
}

/** The flower where the leaflets meet. */
function drawBud(random: Random, { leaf, accent, light }: Look): string[] {
  const fills = [mix(leaf, accent, 0.55), mix(leaf, light, 0.35), accent, mix(accent, light, 0.5)];
  const grains = repeat(34, (index) => {
    const angle = index * 2.399;
    const distance = Math.sqrt(index) * 7.2;
    const [cx, cy] = [Math.cos(angle) * distance, Math.sin(angle) * distance * 1.15 - 8];
    return svg`<circle cx="${cx}" cy="${cy}" r="${9 - distance * 0.08}" fill="${random.pick(fills)}"/>`;
  });
  return grains.reverse();
}

/** Lights in the air in front of the leaf. */
function drawPollen(random: Random, { light, accent }: Look): string[] {
  return repeat(22, () => {
    const [cx, cy] = [random.integer(30, size - 30), random.integer(120, size - 40)];
    const [r, fill] = [1.5 + random.next() * 4, random.pick([light, accent])];
    const opacity = pickOpacity(random, 0.25, 0.55);
    return svg`<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" opacity="${opacity}"/>`;
  });
}

function drawSparks(random: Random, color: string): string {
  const sparks = repeat(46, () => {
    const [cx, cy] = [random.integer(0, size), random.integer(0, horizon - 120)];
    const r = 0.6 + random.next() * 1.4;
    return svg`<circle cx="${cx}" cy="${cy}" r="${r}" opacity="${pickOpacity(random, 0.2, 0.5)}"/>`;
  });
  return svg`<g fill="${color}">${sparks}</g>`;
}

/** A layer of the ground below a line. */
function drawLayer(line: string, fill: string): string {
  return svg`<path d="${line}L${size + 60} ${size}L-60 ${size}Z" fill="${fill}"/>`;
}

function ridge(random: Random, y: number, height: number, steps: number): Point[] {
  return Array.from(
    { length: steps + 1 },
    (_, index): Point => [-60 + (index * (size + 120)) / steps, y + (random.next() - 0.5) * 2 * height],
  );
}

/** Three layers, from the far one in the haze to the near one. */
const shades = ({ ground, sky }: Look): [string, string, string] => [
  mix(ground[1], sky[1], 0.55),
  mix(ground[1], sky[1], 0.18),
  ground[0],
];

const landscapes: Readonly<Record<Look['landscape'], (random: Random, look: Look) => string | string[]>> = {
  hills: (random, look) =>
    shades(look).map((fill, index) =>
      drawLayer(smoothLine(ridge(random, horizon + index * 65, 46, 6)), fill),
    ),

  peaks: (random, look) => {
    const [far, middle, near] = shades(look);
    const range = (y: number, height: number) =>
      ridge(random, y, height * 0.25, 10).map(([x, top], index): Point => {
        const isValley = index % 2 === 0;
        return [x, isValley ? top + height * 0.35 : top - height * (0.4 + random.next() * 0.5)];
      });
    return [
      drawLayer(straightLine(range(horizon, 190)), far),
      drawLayer(straightLine(range(horizon + 75, 150)), middle),
      drawLayer(smoothLine(ridge(random, horizon + 135, 22, 6)), near),
    ];
  },

  dunes: (random, look) =>
    shades(look).map((fill, index) => {
      const y = horizon + 5 + index * 70;
      const crest = random.integer(200, 600);
      const rise = svg`C${crest - 220} ${y + 50} ${crest - 90} ${y - 40} ${crest} ${y - 30}`;
      const fall = svg`C${crest + 60} ${y + 25} ${crest + 190} ${y + 62} ${size + 60} ${y + 30}`;
      return drawLayer(svg`M-60 ${y + 60}${rise}${fall}`, fill);
    }),

  water: (random, look) => {
    const [far, middle] = shades(look);
    const surface = mix(look.ground[0], look.sky[1], 0.3);
    const glints = repeat(26, () => {
      const y = random.integer(horizon + 30, size - 8);
      const width = random.integer(30, 150) * ((y - horizon) / 160 + 0.3);
      const place = svg`x="${random.integer(-40, size)}" y="${y}"`;
      const opacity = pickOpacity(random, 0.1, 0.28);
      const height = 2 + (y - horizon) / 60;
      return svg`<rect ${place} width="${width}" height="${height}" rx="3" opacity="${opacity}"/>`;
    });
    return svg`
      ${drawLayer(smoothLine(ridge(random, horizon - 12, 26, 7)), far)}
      ${drawLayer(smoothLine(ridge(random, horizon + 14, 10, 9)), mix(far, middle, 0.6))}
      <rect y="${horizon + 18}" width="${size}" height="${size - horizon}" fill="${surface}"/>
      <g fill="${look.light}">${glints}</g>`;
  },

  trees: (random, look) =>
    shades(look).map((fill, index) => {
      const y = horizon + index * 62;
      const crowns = repeat(15, (tree) => {
        const height = random.integer(48, 120) * (0.8 + index * 0.28);
        const x = -30 + tree * 62 + random.integer(-18, 18);
        const half = height * (0.26 + random.next() * 0.08);
        const [bulge, bulgeY] = [half * 0.35, y - height * 0.45];
        const left = svg`M${x - half} ${y + 70}Q${x - bulge} ${bulgeY} ${x} ${y - height}`;
        return svg`${left}Q${x + bulge} ${bulgeY} ${x + half} ${y + 70}Z`;
      });
      const soil = drawLayer(smoothLine(ridge(random, y + 24, 10, 6)), fill);
      return svg`<path d="${crowns}" fill="${fill}"/>${soil}`;
    }),

  clouds: (random, { ground, light }) =>
    repeat(3, (index) => {
      const y = horizon + index * 66;
      const puffs = repeat(11, (puff) => {
        const cx = -20 + puff * 84 + random.integer(-20, 20);
        return svg`<circle cx="${cx}" cy="${y + 30}" r="${random.integer(44, 84)}"/>`;
      });
      return svg`
        <g fill="${mix(ground[2], light, 0.75 - index * 0.28)}" opacity=".93">
          ${puffs}
          <rect y="${y + 30}" width="${size}" height="${size - y}"/>
        </g>`;
    }),
};
