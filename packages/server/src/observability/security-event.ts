import type { Actor } from '../lib/errors/actor.ts';

/**
 * Every event of the security log. The names are stable, because operators filter and alert by them. The documentation for
 * operators lists exactly these.
 */
export const securityEvents = {
  /** A 401, or a 429 in its place: no credential, or one that is not valid. */
  'auth.failed': 'warn',
  /** A 403 because of who calls. */
  'access.denied': 'warn',
  /** Any other 403: the caller may do this, but not in the present state of a resource. */
  'request.refused': 'info',
  'sign_in.succeeded': 'info',
  /** A wallet has ended sessions. */
  'session.ended': 'info',
  'key.created': 'info',
  'key.changed': 'info',
  'key.rotated': 'info',
  'key.revoked': 'info',
  'webhook.created': 'info',
  'webhook.changed': 'info',
  'webhook.secret_rotated': 'info',
  'webhook.deleted': 'info',
  /** An administrator has changed something. The audit log of the database has the values. */
  'admin.acted': 'info',
  /** A provider has reported something that was accepted. The audit log of the database has the values. */
  'provider.reported': 'info',
  /** Events that were left out, because there were too many. */
  'security.omitted': 'warn',
} as const satisfies Record<string, 'info' | 'warn'>;

export type SecurityEventName = keyof typeof securityEvents;

/** One event. It has only fields that can contain neither secrets nor e-mail addresses. */
export interface SecurityEvent extends Actor {
  readonly event: SecurityEventName;
  readonly reqId: string;
  /** IP address of the caller. */
  readonly address: string;
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  /** Why: the code of the error. */
  readonly code?: string;
  /** Id of what was created or changed. */
  readonly subject?: string;
}
