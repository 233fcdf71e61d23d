const endOfLife = { major: 20, date: 'April 2026' };
const recommendedMajor = 24;

/** Returns a notice if this version of Node.js is supported by the service but no longer by its maintainers, else null. */
export function findEndOfLifeNotice(version: string = process.versions.node): string | null {
  if (Number.parseInt(version, 10) !== endOfLife.major) return null;
  return `version ${version} reached its end of life in ${endOfLife.date}: please use ${recommendedMajor}`;
}
