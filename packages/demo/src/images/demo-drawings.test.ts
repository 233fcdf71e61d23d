import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { catalogue } from '../catalogue/catalogue.ts';
import { demoImageUrl, findDemoDrawing } from './demo-drawings.ts';

const urls = [
  ...catalogue.planets.map(({ name }) => demoImageUrl('planets', name)),
  ...catalogue.strains.map(({ name }) => demoImageUrl('strains', name)),
];
const drawings = urls.map((url) => findDemoDrawing(url.replace('/images/', '')) ?? '');

it('has a drawing of its own for each of the 20 planets and 60 strains', () => {
  expect(urls).toHaveLength(80);
  expect(new Set(urls).size).toBe(80);
  expect(new Set(drawings).size).toBe(80);
  expect(demoImageUrl('strains', "Tinker's Moth")).toBe('/images/demo/v1/strains/tinkers-moth.svg');
});

it('draws the same picture each time, and says so when a version must be raised', () => {
  const hash = createHash('sha256').update(drawings.join('')).digest('hex');
  // Browsers keep a drawing for a year. If this one changes, raise the version in demo-drawings.ts.
  expect([urls[0]?.split('/')[3], hash]).toEqual([
    'v1',
    'f0bab6e30fdf50908af380657330f6183555f3a4b6df6495342bda8b01701b01',
  ]);
});

it('contains only shapes: no script, no style sheet, no text and nothing from elsewhere', () => {
  for (const drawing of drawings) {
    expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 800 800"/);
    const elements = new Set([...drawing.matchAll(/<(\w+)/g)].map(([, name]) => name));
    for (const name of elements) expect(shapes).toContain(name);
    expect(drawing).not.toMatch(/\son\w+=|style=|NaN|undefined|Infinity/);
    for (const [, target = ''] of drawing.matchAll(/(?:href|url)[=(]"?([^")]+)/g))
      expect(target).toMatch(/^#\w+$/);
    expect(drawing.length).toBeLessThan(20_000);
  }
});
const shapes = [
  ...['svg', 'defs', 'g', 'use', 'path', 'circle', 'ellipse', 'rect', 'clipPath'],
  ...['linearGradient', 'radialGradient', 'stop'],
];

it.each([
  'demo/v1/strains/nothing.svg',
  'demo/v1/planets/lunar-saffron.svg',
  'demo/v1/strains/../planets/verdane.svg',
  'demo/v1/strains/lunar-saffron.svg/',
  'demo/strains/lunar-saffron.svg',
  '',
])('has no drawing for %j', (path) => {
  expect(findDemoDrawing(path)).toBeNull();
});

it('gives the current drawing to a database that an earlier or later version has filled', () => {
  expect(findDemoDrawing('demo/v7/planets/verdane.svg')).toBe(findDemoDrawing('demo/v1/planets/verdane.svg'));
});
