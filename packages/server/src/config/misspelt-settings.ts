import type { Environment } from './setting-reader.ts';
import { settings } from './settings.ts';

const settingNames = Object.keys(settings);
/** Variables that begin so are meant for this service. */
const ownPrefix = 'DATABASE_';
/** The command line has variables with this prefix, so it alone says nothing. */
const productPrefix = 'KEYFRONT_';
/** What Kubernetes sets for each service of a namespace, such as one with the name `database`. */
const schedulerForm = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** Returns a sentence for each variable that looks like a misspelt setting. Values are not quoted: they may be secret. */
export function findMisspeltSettings(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (Object.hasOwn(settings, name) || schedulerForm.test(name)) return [];
    const meant = findMeantSetting(name);
    if (meant === null && !name.startsWith(ownPrefix)) return [];
    const advice = meant === null ? ': remove it, or see the list of settings.' : `: did you mean ${meant}?`;
    return [`The environment variable ${name} is no setting of Keyfront${advice}`];
  });
}

function findMeantSetting(name: string): string | null {
  const upperCase = name.toUpperCase();
  const spellings = [
    upperCase,
    ...(upperCase.startsWith(productPrefix) ? [upperCase.slice(productPrefix.length)] : []),
  ];
  return (
    settingNames.find((setting) =>
      spellings.some((spelling) => {
        const allowed = countAllowedMistakes(setting);
        return (
          Math.abs(spelling.length - setting.length) <= allowed && countMistakes(spelling, setting) <= allowed
        );
      }),
    ) ?? null
  );
}

/** Short names, such as HOST, differ from those of other programs by one letter. -1 excludes even the same letters. */
function countAllowedMistakes({ length }: string): number {
  if (length < 7) return -1;
  return length < 12 ? 1 : 2;
}

/** The number of letters to insert, remove, replace or exchange with their neighbour (optimal string alignment). */
function countMistakes(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
