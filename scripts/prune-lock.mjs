/**
 * Returns a lock for a folder that has only the given packages of this repository installed, from tarballs, with what they
 * depend on. Every version is that of the given lock.
 *
 * @param lock The lock of the repository.
 * @param own  The packages of this repository: name, location in the repository, tarball and integrity.
 */
export function pruneLock(lock, own) {
  const tarballs = new Map(own.map((each) => [each.location, each]));
  const packages = {
    '': { dependencies: Object.fromEntries(own.map(({ name, resolved }) => [name, resolved])) },
  };
  const visit = (location) => {
    const path = installedPath(location, own);
    if (packages[path]) return;
    const { dev, devOptional, peer, devDependencies, ...entry } = lock.packages[location];
    const tarball = tarballs.get(location);
    packages[path] = tarball ? { ...entry, resolved: tarball.resolved, integrity: tarball.integrity } : entry;
    const optional = { ...entry.optionalDependencies, ...optionalPeers(entry) };
    for (const name of Object.keys({ ...entry.dependencies, ...entry.peerDependencies, ...optional })) {
      const found = find(lock, location, name);
      if (found) visit(found);
      else if (!(name in optional)) throw new Error(`The lock has no ${name}, which ${location} needs`);
    }
  };
  for (const { location } of own) visit(location);
  const sorted = Object.keys(packages).sort();
  return {
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: Object.fromEntries(sorted.map((path) => [path, packages[path]])),
  };
}

const optionalPeers = ({ peerDependenciesMeta = {} }) =>
  Object.fromEntries(Object.entries(peerDependenciesMeta).filter(([, { optional }]) => optional));

/** Packages of this repository are links in its lock, and folders where they are installed. */
function installedPath(location, own) {
  const owner = own.find((each) => location === each.location || location.startsWith(`${each.location}/`));
  return owner ? `node_modules/${owner.name}${location.slice(owner.location.length)}` : location;
}

/** Finds a package as Node does: beside the one that asks, or in a folder above. */
function find(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    const entry = lock.packages[path];
    if (entry) return entry.link ? entry.resolved : path;
    if (folder === '') return undefined;
  }
}
