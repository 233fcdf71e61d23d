import { catalogue } from '../catalogue/catalogue.ts';
import { requireDefined } from '../values/require-defined.ts';
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
  const isWanted = ({ name }: { readonly name: string }) => toFileName(name) === fileName;
  if (kind === 'planets') {
    const planet = catalogue.planets.find(isWanted);
    return planet ? drawPlanet(planet) : null;
  }
  const strain = catalogue.strains.find(isWanted);
  if (!strain) return null;
  const planet = catalogue.planets.find(({ number }) => number === strain.planet);
  return drawStrain(strain, requireDefined(planet).look);
}
