import { type SampleOperation, samplePath } from './sample-operation.ts';
import { jsonForShell, shellWord, singleQuoted } from './shell-quoting.ts';

/** Profiles that the guides log in with. A storefront's own profile is the default. */
const profiles: Readonly<Record<SampleOperation['access'], string | null>> = {
  public: null,
  credential: null,
  jwt: 'wallet',
  administrator: 'admin',
};

/** The command of the `keyfront` CLI. */
export function cliSample(operation: SampleOperation): string {
  const { method, query = {}, body, access } = operation;
  const profile = profiles[access];
  return [
    `keyfront ${method.toLowerCase()} ${shellWord(samplePath(operation))}`,
    ...Object.entries(query).map(([name, value]) => `--query ${shellWord(`${name}=${value ?? ''}`)}`),
    ...(body === undefined ? [] : [`--data ${singleQuoted(jsonForShell(body))}`]),
    ...(profile === null ? [] : [`--profile ${profile}`]),
  ].join(' \\\n  ');
}
