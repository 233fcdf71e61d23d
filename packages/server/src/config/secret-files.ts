import { readFileSync } from 'node:fs';
import { errorCode } from '../lib/errors/error-code.ts';
import { type SettingName, settings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Which variable names the file of each secret setting: of `JWT_SECRET` it is `JWT_SECRET_FILE`. */
export const secretFileVariables: ReadonlyMap<string, SettingName> = new Map(
  Object.entries(settings).flatMap(([name, { isSecret }]) =>
    isSecret ? [[`${name}_FILE`, name as SettingName]] : [],
  ),
);

/** Reads the files that container schedulers and systemd give secrets in. Messages name the file, and never what is in it. */
export function readSecretFiles(
  environment: Environment,
  reject: (name: SettingName, rule: string) => void,
): Environment {
  const secrets: Record<string, string> = {};
  for (const [variable, name] of secretFileVariables) {
    const path = environment[variable]?.trim();
    if (!path) continue;
    if (environment[name]?.trim()) {
      reject(name, `must not be set together with ${variable}: remove one of them`);
      continue;
    }
    try {
      secrets[name] = readFileSync(path, 'utf8').trim();
      if (secrets[name] === '') reject(name, `cannot be read: the file ${path} of ${variable} is empty`);
    } catch (error) {
      reject(name, `cannot be read from the file ${path} of ${variable} (${errorCode(error)})`);
    }
  }
  return { ...environment, ...secrets };
}
