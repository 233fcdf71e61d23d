import {
  AuthenticationError,
  ConnectionError,
  KeyfrontError,
  ServerError,
  ValidationError,
} from '@keyfront/sdk';
import { texts } from '../texts/format.ts';

/** What has failed, in sentences for people. Names of fields, of programs and of their versions are for whoever wrote them. */
export function explainError(error: Error): readonly string[] {
  if (error instanceof ValidationError) return error.issues.map(explainIssue);
  if (error instanceof ConnectionError) {
    return [texts.serviceCannotBeReachedCheckYour];
  }
  // Without a code, something in between has answered.
  if (error instanceof ServerError && error.code === null) {
    return [texts.serviceDidNotAnswerAsIt];
  }
  if (error instanceof AuthenticationError) {
    return [error.reason ? capitalize(error.reason) : texts.youAreNotSignedInAny];
  }
  if (error instanceof KeyfrontError) return [error.message];
  return [explainOther(error)];
}

/** What is wrong with a field, as it stands below it. */
export function explainProblem(words: string): string {
  return capitalize(rephrase(words));
}

/** `shipping.postalCode must be short` as `Postal code must be short`. */
function explainIssue(issue: string): string {
  const [path = '', ...words] = issue.split(' ');
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  const readable = name
    .replace(/Id$/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return capitalize(`${readable} ${rephrase(words.join(' '))}`);
}

function rephrase(words: string): string {
  return words.replace(/\bbe an email\b/, 'be an e-mail address').replace('must be a UUID', 'is not known');
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Of the errors of this page, those that it has written itself have a sentence of their own. */
function explainOther(error: Error): string {
  const causes = listCauses(error);
  // EIP-1193 and EIP-1474. Not by the classes of libraries: those are loaded only where somebody signs.
  if (causes.some(({ code, name }) => code === 4001 || name === 'UserRejectedRequestError')) {
    return texts.youHaveRefusedRequestInYour;
  }
  if (causes.some(({ code }) => code === -32_002)) {
    return texts.yourWalletWaitsForAnswerTo;
  }
  if ('shortMessage' in error || 'code' in error) {
    return texts.yourWalletHasReportedErrorOpen;
  }
  const isOwn = !(error instanceof DOMException) && !builtIn.has(error.constructor);
  return isOwn ? error.message : texts.somethingInThisPageHasFailed;
}

const builtIn: ReadonlySet<unknown> = new Set([TypeError, RangeError, ReferenceError, SyntaxError]);

interface Cause {
  readonly code?: unknown;
  readonly name?: unknown;
}

function listCauses(error: Error): Cause[] {
  const causes: Cause[] = [];
  for (
    let cause: unknown = error;
    cause instanceof Object && causes.length < 10;
    cause = (cause as Error).cause
  ) {
    causes.push(cause);
  }
  return causes;
}
