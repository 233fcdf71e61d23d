import type { CataloguePlanet, Look } from '../catalogue/catalogue.ts';
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
  svg,
} from './svg.ts';

const center = size / 2;
const radius = 235;

/** Draws a planet among stars, lit from the upper left. */
export function drawPlanet({ name, look }: CataloguePlanet): string {
  const { sky, ground, light, accent } = look;
  const random = randomOf(`planet ${name}`);
  const space = mix(sky[0], '#05060f', 0.62);
  const air = mix(light, accent, 0.4);
  const tilt = random.integer(-24, 24);
  const middle = svg`cx="${center}" cy="${center}"`;
  const definitions = svg`
    <radialGradient id="space" cx="50%" cy="45%" r="75%">
      ${stops([0, mix(space, sky[1], 0.28)], [0.55, mix(space, sky[0], 0.35)], [1, space])}
    </radialGradient>
    <radialGradient id="air" cx="50%" cy="50%" r="50%">
      ${stops([0.74, light, 0.5], [0.8, air, 0.22], [0.88, accent, 0.08], [1, accent, 0])}
    </radialGradient>
    <linearGradient id="base" x1="0" y1="0" x2="0" y2="1">
      ${stops([0, mix(ground[1], ground[2], 0.5)], [0.5, ground[1]], [1, mix(ground[0], ground[1], 0.5)])}
    </linearGradient>
    <radialGradient id="shade" cx="34%" cy="30%" r="78%">
      ${stops([0, light, 0.42], [0.36, light, 0], [0.62, space, 0.12], [1, space, 0.88])}
    </radialGradient>
    <clipPath id="disc"><circle ${middle} r="${radius}"/></clipPath>
    <clipPath id="front"><rect x="${-center}" y="0" width="${size * 2}" height="${size}"/></clipPath>`;
  const ring = look.hasRing ? drawRing(look) : '';
  // The ring passes behind the upper half of the planet and in front of the lower one.
  const placeRing = (part: string) =>
    ring && svg`<g transform="translate(${center} ${center}) rotate(${tilt - 8})">${part}</g>`;
  return drawing(
    definitions,
    svg`
      <rect width="${size}" height="${size}" fill="url(#space)"/>
      ${drawStars(random, light)}
      ${drawMoons(random, look, -1)}
      ${placeRing(ring)}
      <circle ${middle} r="${radius * 1.28}" fill="url(#air)"/>
      <g clip-path="url(#disc)">
        <circle ${middle} r="${radius}" fill="url(#base)"/>
        <g transform="rotate(${tilt} ${center} ${center})">${surfaces[look.surface](random, look)}</g>
        <circle ${middle} r="${radius + 1}" fill="url(#shade)"/>
      </g>
      ${placeRing(`<g clip-path="url(#front)">${ring}</g>`)}
      ${drawMoons(random, look, 1)}`,
  );
}

const surfaces: Readonly<Record<Look['surface'], (random: Random, look: Look) => string>> = {
  bands: (random, { ground, light, accent }) => {
    const bands: string[] = [];
    for (let y = center - radius; y < center + radius; ) {
      const height = random.integer(14, 62);
      const fill = random.pick([...ground, mix(ground[2], light, 0.5)]);
      const bottom = y + height + 30;
      const d = svg`${wave(random, y, 9)}L${size} ${bottom}L0 ${bottom}Z`;
      bands.push(svg`<path d="${d}" fill="${fill}" opacity=".8"/>`);
      y += height;
    }
    const storm = svg`cx="${random.integer(300, 500)}" cy="${random.integer(430, 540)}"`;
    return svg`
      ${bands}
      <ellipse ${storm} rx="58" ry="27" fill="${mix(accent, ground[2], 0.35)}" opacity=".9"/>
      <ellipse ${storm} rx="38" ry="15" fill="${mix(accent, light, 0.45)}" opacity=".85"/>`;
  },

  land: (random, { ground, light }) => {
    const [, plain, height] = ground;
    const continentFills = [plain, height, mix(plain, height, 0.5)];
    return svg`
      <rect width="${size}" height="${size}" fill="${mix(ground[0], '#0b2038', 0.35)}"/>
      ${repeat(8, () => drawBlob(random, 45, 125, random.pick(continentFills)))}
      ${repeat(5, () => drawBlob(random, 14, 40, height))}
      ${drawWisps(random, light, 7)}`;
  },

  dunes: (random, { ground, light }) => {
    const dunes: string[] = [];
    for (let y = center - radius - 20; y < center + radius; y += random.integer(16, 30)) {
      const fill = mix(ground[0], ground[2], random.next());
      const d = svg`${wave(random, y, 22)}L${size} ${size}L0 ${size}Z`;
      dunes.push(svg`<path d="${d}" fill="${fill}" opacity=".72"/>`);
    }
    return svg`${dunes}${drawWisps(random, light, 3)}`;
  },

  lakes: (random, { ground, light, accent }) => {
    const [water, glint] = [mix(ground[0], accent, 0.1), mix(ground[1], light, 0.25)];
    const lakes = repeat(26, () => {
      const [cx, cy] = pickPoint(random, radius);
      const rx = random.integer(12, 58);
      const ry = rx * (0.32 + random.next() * 0.3);
      const place = svg`cx="${cx}" cy="${cy}"`;
      const placeOfGlint = svg`cx="${cx - rx * 0.2}" cy="${cy - ry * 0.25}"`;
      return svg`
        <ellipse ${place} rx="${rx + 5}" ry="${ry + 4}" fill="${ground[2]}" opacity=".7"/>
        <ellipse ${place} rx="${rx}" ry="${ry}" fill="${water}" opacity=".9"/>
        <ellipse ${placeOfGlint} rx="${rx * 0.5}" ry="${ry * 0.35}" fill="${glint}" opacity=".5"/>`;
    });
    return svg`${lakes}${drawWisps(random, light, 5)}`;
  },

  clouds: (random, { ground, light }) => svg`
    ${repeat(6, () => drawBlob(random, 40, 110, ground[0]))}
    ${drawWisps(random, mix(ground[2], light, 0.7), 22)}`,

  canyons: (random, { ground, light }) => {
    const edge = mix(ground[2], light, 0.3);
    const canyons = repeat(11, () => {
      const [x, y] = pickPoint(random, radius * 0.9);
      let point: Point = [x - 170, y + random.integer(-30, 30)];
      const points = [point];
      for (let step = 0; step < 7; step++) {
        point = [point[0] + random.integer(30, 66), point[1] + random.integer(-34, 34)];
        points.push(point);
      }
      const line = `fill="none" stroke-linecap="round" d="${smoothLine(points)}"`;
      const width = random.integer(5, 15);
      return svg`
        <path ${line} stroke="${edge}" stroke-width="${width + 6}" opacity=".45"/>
        <path ${line} stroke="${ground[0]}" stroke-width="${width}" opacity=".9"/>`;
    });
    return svg`${repeat(6, () => drawBlob(random, 50, 120, ground[2], '.35'))}${canyons}`;
  },
};

function wave(random: Random, y: number, height: number): string {
  const points = Array.from(
    { length: 9 },
    (_, index): Point => [index * 110 - 40, y + (random.next() - 0.5) * 2 * height],
  );
  return smoothLine(points);
}

/** Picks a point within a distance of the center. */
function pickPoint(random: Random, reach: number): Point {
  const angle = random.next() * Math.PI * 2;
  const distance = Math.sqrt(random.next()) * reach;
  return [center + Math.cos(angle) * distance, center + Math.sin(angle) * distance];
}

/** A rounded form with an irregular outline. */
function drawBlob(random: Random, minReach: number, maxReach: number, fill: string, opacity = '.9'): string {
  const [x, y] = pickPoint(random, radius);
  const reach = random.integer(minReach, maxReach);
  const corners = 11;
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * Math.PI * 2;
    const distance = reach * (0.55 + random.next() * 0.6);
    return [x + Math.cos(angle) * distance * 1.25, y + Math.sin(angle) * distance * 0.75];
  });
  const outline = smoothLine([...points, ...points.slice(0, 3)]);
  return svg`<path d="${outline}Z" fill="${fill}" opacity="${opacity}"/>`;
}

function drawWisps(random: Random, color: string, count: number): string[] {
  return repeat(count, () => {
    const [cx, cy] = pickPoint(random, radius);
    const radii = svg`rx="${random.integer(36, 120)}" ry="${random.integer(4, 13)}"`;
    return svg`<ellipse cx="${cx}" cy="${cy}" ${radii} fill="${color}" opacity=".36"/>`;
  });
}

function drawStars(random: Random, color: string): string {
  const stars = repeat(110, () => {
    const [cx, cy] = [random.integer(0, size), random.integer(0, size)];
    const r = random.chance(0.1) ? 2.2 : 0.7 + random.next() * 0.8;
    return svg`<circle cx="${cx}" cy="${cy}" r="${r}" opacity="${pickOpacity(random, 0.25, 0.7)}"/>`;
  });
  return svg`<g fill="${color}">${stars}</g>`;
}

/** The rings of a planet around the origin, seen from slightly above. */
function drawRing({ ground, light, accent }: Look): string {
  const draw = (reach: number, width: number, color: string, opacity: string) => svg`
    <ellipse rx="${radius * reach}" ry="${radius * reach * 0.2}" fill="none" stroke="${color}"
      stroke-width="${width}" opacity="${opacity}"/>`;
  return [
    draw(1.5, 20, mix(ground[2], light, 0.4), '.8'),
    draw(1.64, 7, accent, '.75'),
    draw(1.76, 14, mix(ground[1], light, 0.3), '.6'),
  ].join('');
}

/** The moons behind the planet (-1) or in front of it (1). */
function drawMoons(random: Random, { ground, light, moons }: Look, side: -1 | 1): string[] {
  return repeat(moons, (index) => {
    if ((index % 2 === 0 ? -1 : 1) !== side) return '';
    const angle = (index * 2.3 + random.next() * 0.9 - 1.1) * side;
    const distance = radius * (1.26 + index * 0.09);
    const r = 34 - index * 9;
    const [cx, cy] = [center + Math.cos(angle) * distance, center + Math.sin(angle) * distance * 0.95];
    const top = svg`${cx} ${cy - r}`;
    const shadow = svg`M${top}A${r} ${r} 0 0 1 ${cx} ${cy + r}A${r * 1.5} ${r * 1.5} 0 0 0 ${top}Z`;
    return svg`
      <circle cx="${cx}" cy="${cy}" r="${r}" fill="${mix(ground[2], light, 0.35)}"/>
      <path d="${shadow}" fill="#0a0a18" opacity=".55"/>`;
  });
}
