import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists of the packages that the builds of the server and of the console have bundled. */
const bundles = ['dist/bundle/bundled-packages.json', 'console/bundled-packages.json'];

/**
 * Writes `sbom.cdx.json`, a bill of materials in the format of CycloneDX. npm lists what is installed, and knows nothing about the
 * packages that are parts of a bundle: those are added. The file has no time and no random number, so that it is the same for
 * the same sources.
 */
export function writeBillOfMaterials({ folder, lock, npm }) {
  const bill = JSON.parse(npm(['sbom', '--sbom-format=cyclonedx', '--omit=dev'], folder));
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  // npm names it after the folder.
  bill.metadata.component.name = 'keyfront';
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  const server = bill.dependencies.find(({ ref }) => ref.startsWith('@keyfront/server@'));
  for (const path of bundles) {
    const file = join(folder, 'node_modules/@keyfront/server', path);
    for (const location of JSON.parse(readFileSync(file, 'utf8'))) {
      const component = describe(nameOf(location), lock.packages[location]);
      const ref = component['bom-ref'];
      if (known.has(ref)) continue;
      known.add(ref);
      bill.components.push(component);
      server.dependsOn.push(ref);
      bill.dependencies.push({ ref, dependsOn: [] });
    }
  }
  const hashes = findHashes(lock);
  for (const component of bill.components) component.hashes = hashes.get(component['bom-ref']) ?? [];
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
}

const nameOf = (location) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The checksums of the packages, as the lock has them. */
function findHashes({ packages }) {
  const locked = Object.entries(packages).filter(([, { integrity }]) => integrity?.startsWith('sha512-'));
  return new Map(
    locked.map(([location, { version, integrity }]) => {
      const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      return [`${nameOf(location)}@${version}`, [{ alg: 'SHA-512', content }]];
    }),
  );
}

/** A component in the form that npm gives it. */
function describe(name, { version, license }) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    ...(license ? { licenses: [{ expression: license }] } : {}),
  };
}
