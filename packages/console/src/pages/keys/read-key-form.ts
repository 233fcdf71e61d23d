import type { ApiKey, KeyChange } from '@keyfront/sdk';
import { readList } from '../../components/form-fields.ts';

/** The name and the settings of a form. `expiresAt` of the key stays as it is while its day does. */
export function readKeyForm(form: FormData, key?: ApiKey): Required<KeyChange> & { keyName: string } {
  const scopes = readList(form, 'scopes');
  const networks = readList(form, 'allowedNetworks');
  const day = String(form.get('expiresAt') ?? '');
  return {
    keyName: String(form.get('keyName') ?? '').trim(),
    signatures: form.get('signatures') === 'bound' ? 'bound' : 'any',
    scopes: scopes.length > 0 ? scopes : null,
    allowedNetworks: networks.length > 0 ? networks : null,
    expiresAt: day === lastDayOf(key) ? (key?.expiresAt ?? null) : endOf(day),
  };
}

/** The day on which the key ends, in the zone of the visitor. Empty if it does not. */
export function lastDayOf(key: ApiKey | undefined): string {
  if (!key?.expiresAt) return '';
  const end = new Date(key.expiresAt);
  const parts = [end.getFullYear(), end.getMonth() + 1, end.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

function endOf(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}
