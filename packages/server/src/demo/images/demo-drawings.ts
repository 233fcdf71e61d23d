import { catalogue } from '../catalogue/catalogue.ts';
import { drawPlanet } from './draw-planet.ts';
import { drawStrain } from './draw-strain.ts';

/** Raise it when a drawing changes: browsers keep what they got under a path for a year. */
const version = 1;

type Kind = 'planets' | 'strains';

/** The stored URL of the drawing of a planet or strain of the demo. */
export function demoImageUrl(kind: Kind, name: string): string {
  return `/images/demo/v${version}/${kind}/${toFileName(name)}`;
}

/** `tinkers-moth.svg` */
function toFileName(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll("'", '')
    .split(/[^a-z0-9]+/);
  return `${words.join('-')}.svg`;
}

const pathForm = /^demo\/v\d{1,4}\/(planets|strains)\/([a-z0-9-]+\.svg)$/;

/**
 * Draws the image with a path below `/images/`. Null if there is none. A database that an earlier version has filled asks for an
 * earlier version of the drawing, and gets the current one.
 */
export function findDemoDrawing(path: string): string | null {
  const [, kind, fileName] = pathForm.exec(path) ?? [];
  if (kind === 'planets') {
    const planet = catalogue.planets.find(({ name }) => toFileName(name) === fileName);
    return planet ? drawPlanet(planet) : null;
  }
  if (kind === 'strains') {
    const strain = catalogue.strains.find(({ name }) => toFileName(name) === fileName);
    return strain ? drawStrain(strain) : null;
  }
  return null;
}
