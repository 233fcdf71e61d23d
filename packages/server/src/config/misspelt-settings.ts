import { secretFileVariables } from './secret-files.ts';
import { settings } from './settings.ts';

/** Variables that begin so are meant for this service. */
const ownPrefix = 'DATABASE_';
/** The command line has variables with this prefix, so it alone says nothing. */
const productPrefix = /^KEYFRONT_/;
/** What Kubernetes sets for each service of a namespace, such as one with the name `database`. */
const schedulerForm = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

const known = [...Object.keys(settings), ...secretFileVariables.keys()];

/** Returns a sentence for each variable that looks like a misspelt setting. Values are not quoted: they may be secret. */
export function findMisspeltSettings(environment: object): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || schedulerForm.test(name)) return [];
    const meant = known.find((setting) => isMisspelt(name.toUpperCase(), setting));
    if (meant === undefined && !name.startsWith(ownPrefix)) return [];
    const advice = meant === undefined ? 'remove it, or see the list of settings.' : `did you mean ${meant}?`;
    return [`The environment variable ${name} is no setting of Keyfront: ${advice}`];
  });
}

function isMisspelt(name: string, setting: string): boolean {
  // Short names, such as HOST, differ from those of other programs by one letter.
  if (setting.length < 7) return false;
  const max = setting.length < 12 ? 1 : 2;
  return [name, name.replace(productPrefix, '')].some((spelling) => hasMistakes(spelling, setting, max));
}

/** Whether at most `max` letters were inserted, removed, replaced or exchanged with their neighbour. */
function hasMistakes(from: string, to: string, max: number): boolean {
  if (from === to) return true;
  if (from[0] === to[0]) return hasMistakes(from.slice(1), to.slice(1), max);
  if (max === 0) return false;
  const isExchanged = from.length > 1 && from[0] === to[1] && from[1] === to[0];
  const rests = [[1, 0], [0, 1], [1, 1], ...(isExchanged ? [[2, 2]] : [])] as const;
  return rests.some(([a, b]) => hasMistakes(from.slice(a), to.slice(b), max - 1));
}
