import { type KeyChange, keyScopes, parseMoment, startOf, textPatterns } from '@keyfront/protocol';
import { validationFailed } from '../../lib/errors/api-error.ts';
import { canonicalizeNetwork } from '../../lib/network/networks.ts';
import type { KeySettings } from './key-queries.ts';

type SettingsInput = Pick<KeyChange, 'signatures' | 'scopes' | 'expiresAt' | 'allowedNetworks'>;

/** Checks what the schema cannot: that scopes and networks exist, and that a key does not end in the past. */
export function readKeySettings(input: SettingsInput, nowMs = Date.now()): Partial<KeySettings> {
  const { signatures, scopes, expiresAt, allowedNetworks } = input;
  const networks = allowedNetworks?.map(canonicalizeNetwork) ?? null;
  const issues = [...findScopeIssues(scopes), ...findNetworkIssues(networks)];
  const moment = expiresAt ? parseMoment(expiresAt) : null;
  if (expiresAt && !moment) issues.push(`expiresAt ${textPatterns.utcTime.issue}`);
  if (moment && startOf(moment).getTime() <= nowMs) issues.push('expiresAt must be in the future');
  if (issues.length > 0) throw validationFailed(issues);
  return {
    ...(signatures === undefined ? {} : { signatures }),
    ...(scopes === undefined ? {} : { scopes: scopes && [...new Set(scopes)].sort() }),
    ...(expiresAt === undefined ? {} : { expiresAt: moment && startOf(moment).toISOString() }),
    ...(allowedNetworks === undefined
      ? {}
      : { allowedNetworks: networks && [...new Set(networks.filter((each) => each !== null))] }),
  };
}

function findScopeIssues(scopes: readonly string[] | null = null): string[] {
  const unknown = scopes?.filter((scope) => !keyScopes.includes(scope)) ?? [];
  return unknown.map((scope) => `scopes must not contain ${scope}: the scopes are ${keyScopes.join(', ')}`);
}

function findNetworkIssues(networks: readonly (string | null)[] | null): string[] {
  return (networks ?? []).flatMap((network, index) =>
    network === null
      ? [`allowedNetworks.${index} must be a network such as 203.0.113.0/24 or 2001:db8::/32`]
      : [],
  );
}
