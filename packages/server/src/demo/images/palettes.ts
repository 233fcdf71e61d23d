/** What the surface of a planet looks like from above, and its landscape from the ground. */
export type Surface = 'bands' | 'land' | 'dunes' | 'lakes' | 'clouds' | 'canyons';
export type Landscape = 'hills' | 'peaks' | 'dunes' | 'water' | 'trees' | 'clouds';

/** The colors and forms of a planet. Its strains share them. */
export interface Palette {
  /** The sky, from its darkest color to the horizon. */
  readonly sky: readonly [string, string];
  /** The surface, from dark to light. */
  readonly ground: readonly [string, string, string];
  readonly light: string;
  readonly accent: string;
  readonly leaf: string;
  readonly surface: Surface;
  readonly landscape: Landscape;
  readonly hasRing?: true;
  readonly moons: number;
}

/** By the number of the planet, following its description. */
const palettes: Readonly<Record<number, Palette>> = {
  1: {
    sky: ['#3b1f4a', '#f0a35e'],
    ground: ['#8a4b2d', '#d98c3a', '#f7d488'],
    light: '#fff1c9',
    accent: '#ffb52e',
    leaf: '#7f9a3a',
    surface: 'bands',
    landscape: 'hills',
    moons: 1,
  },
  2: {
    sky: ['#2b1a3a', '#d9744a'],
    ground: ['#6b2f23', '#b3583a', '#e39b6d'],
    light: '#ffd9b0',
    accent: '#e0662f',
    leaf: '#6c8b4a',
    surface: 'canyons',
    landscape: 'peaks',
    moons: 0,
  },
  3: {
    sky: ['#23262f', '#8a5a4c'],
    ground: ['#4a2320', '#86402f', '#b9735a'],
    light: '#ffcf8a',
    accent: '#ffb347',
    leaf: '#76804a',
    surface: 'land',
    landscape: 'hills',
    moons: 2,
  },
  4: {
    sky: ['#0f2a4a', '#8fd0dc'],
    ground: ['#14507a', '#2f8fae', '#9fdde0'],
    light: '#f2fbf4',
    accent: '#f4c95d',
    leaf: '#3f9a77',
    surface: 'clouds',
    landscape: 'water',
    moons: 1,
  },
  5: {
    sky: ['#2a3b3a', '#b9c9b4'],
    ground: ['#3a5245', '#6f8d6a', '#bccbaa'],
    light: '#eef3e2',
    accent: '#d8a657',
    leaf: '#5d8a4c',
    surface: 'lakes',
    landscape: 'water',
    moons: 0,
  },
  6: {
    sky: ['#12121f', '#4a4f78'],
    ground: ['#1b1c26', '#3a3d4f', '#6d7391'],
    light: '#e9ecff',
    accent: '#8fa2ff',
    leaf: '#6fa37a',
    surface: 'bands',
    landscape: 'peaks',
    moons: 3,
  },
  7: {
    sky: ['#0d2b26', '#7fbf73'],
    ground: ['#12452f', '#2f8a4c', '#8fd07a'],
    light: '#f6f4cf',
    accent: '#f5b335',
    leaf: '#4cab57',
    surface: 'land',
    landscape: 'trees',
    moons: 1,
  },
  8: {
    sky: ['#101d3f', '#7fb2e0'],
    ground: ['#1f3f73', '#4a7fb8', '#b8dcf2'],
    light: '#f4fbff',
    accent: '#9be0ff',
    leaf: '#4f9a8a',
    surface: 'canyons',
    landscape: 'peaks',
    hasRing: true,
    moons: 0,
  },
  9: {
    sky: ['#2c1b45', '#c790d6'],
    ground: ['#4b2b6b', '#8757a8', '#c9a2dd'],
    light: '#fff0d6',
    accent: '#ffcf5c',
    leaf: '#7a9a55',
    surface: 'land',
    landscape: 'hills',
    moons: 1,
  },
  10: {
    sky: ['#142642', '#9cc4d9'],
    ground: ['#1f4a5e', '#4f8fa0', '#c0e0dd'],
    light: '#ffffff',
    accent: '#f0a7a0',
    leaf: '#4c9a7c',
    surface: 'lakes',
    landscape: 'water',
    moons: 2,
  },
  11: {
    sky: ['#090d24', '#3a3f7a'],
    ground: ['#161a3d', '#2f3572', '#6a6fb8'],
    light: '#f3efff',
    accent: '#b79bff',
    leaf: '#5c8f86',
    surface: 'land',
    landscape: 'trees',
    moons: 2,
  },
  12: {
    sky: ['#12332f', '#a4d28a'],
    ground: ['#1a5240', '#46945a', '#b6dc8c'],
    light: '#fbf8d2',
    accent: '#e8735a',
    leaf: '#57b25a',
    surface: 'clouds',
    landscape: 'trees',
    moons: 0,
  },
  13: {
    sky: ['#0d2f4f', '#6fd0c9'],
    ground: ['#0f5273', '#1f93a6', '#8fe0cf'],
    light: '#fff6dc',
    accent: '#ff8a70',
    leaf: '#2fa184',
    surface: 'lakes',
    landscape: 'water',
    moons: 1,
  },
  14: {
    sky: ['#3d3a2a', '#e6d9a0'],
    ground: ['#6e6433', '#b3a356', '#e6dca0'],
    light: '#fffbe0',
    accent: '#d9822b',
    leaf: '#8aa046',
    surface: 'dunes',
    landscape: 'hills',
    moons: 0,
  },
  15: {
    sky: ['#4a1f3d', '#f4a9b4'],
    ground: ['#8a3558', '#d0708a', '#f6bcc2'],
    light: '#fff0ea',
    accent: '#ff6f91',
    leaf: '#6f9a63',
    surface: 'lakes',
    landscape: 'water',
    hasRing: true,
    moons: 1,
  },
  16: {
    sky: ['#41505f', '#f0e9dc'],
    ground: ['#a7a092', '#d9d2c2', '#fbf7ec'],
    light: '#ffffff',
    accent: '#e8b15a',
    leaf: '#7fa277',
    surface: 'dunes',
    landscape: 'dunes',
    moons: 1,
  },
  17: {
    sky: ['#3a1c1a', '#e08a3c'],
    ground: ['#6e2c17', '#b8561f', '#eaa24a'],
    light: '#ffe6b0',
    accent: '#ffa928',
    leaf: '#a08a35',
    surface: 'land',
    landscape: 'trees',
    moons: 0,
  },
  18: {
    sky: ['#1a1438', '#c9774a'],
    ground: ['#7a4420', '#c98539', '#f0c479'],
    light: '#fff0c2',
    accent: '#f26a3d',
    leaf: '#7d9a4e',
    surface: 'dunes',
    landscape: 'dunes',
    hasRing: true,
    moons: 2,
  },
  19: {
    sky: ['#1c2b4a', '#cfe0ee'],
    ground: ['#5f7f9e', '#a9c3d9', '#f3f8fc'],
    light: '#fff4d9',
    accent: '#ff9d5c',
    leaf: '#4f8a73',
    surface: 'clouds',
    landscape: 'peaks',
    moons: 1,
  },
  20: {
    sky: ['#2f3f7f', '#f7c9b8'],
    ground: ['#5a78b8', '#9fb8e0', '#f6e3e6'],
    light: '#fffdf2',
    accent: '#ff9f5a',
    leaf: '#5fae83',
    surface: 'bands',
    landscape: 'clouds',
    hasRing: true,
    moons: 0,
  },
};

export function getPalette(planet: number): Palette {
  const palette = palettes[planet];
  if (!palette) throw new RangeError(`There is no palette for planet ${planet}`);
  return palette;
}
