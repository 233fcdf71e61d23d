import { type TextPattern, textPatterns } from '@keyfront/protocol';
import type { ErrorObject } from 'ajv';

/** Describes a violated rule in one sentence that begins with the path of the field. */
export function describeIssue(error: ErrorObject): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const path = error.propertyName === undefined ? place : `each name in ${place}`;
  const { params } = error;
  if (error.data === '' && emptyKeywords.has(error.keyword)) return `${path} should not be empty`;
  switch (error.keyword) {
    case 'required':
      return `${join(path, params.missingProperty)} is required`;
    case 'additionalProperties':
      return `${join(path, params.additionalProperty)} should not exist`;
    case 'type':
      return `${path || 'body'} must be ${typeNames[String(params.type)] ?? `a ${params.type}`}`;
    case 'enum':
      // The empty string stands for "no filter" and needs no mention.
      return `${path} must be one of the following values: ${params.allowedValues.filter(Boolean).join(', ')}`;
    case 'format':
      return `${path} must be ${formatNames[params.format] ?? `a valid ${params.format}`}`;
    case 'pattern':
      return `${path} ${describeMismatch(params.pattern, String(error.data))}`;
    case 'minimum':
      return `${path} must not be less than ${params.limit}`;
    case 'maximum':
      return `${path} must not be greater than ${params.limit}`;
    case 'minLength':
      return `${path} must be longer than or equal to ${params.limit} characters`;
    case 'maxLength':
      return `${path} must be shorter than or equal to ${params.limit} characters`;
    case 'minItems':
      return params.limit === 1
        ? `${path} should not be empty`
        : `${path} must have at least ${params.limit} elements`;
    case 'maxItems':
      return `${path} must have no more than ${params.limit} elements`;
    case 'uniqueItems':
      return `${path} must not have the same element twice`;
    case 'multipleOf':
      return params.multipleOf === 0.01
        ? `${path} must have at most two decimals`
        : `${path} must be a multiple of ${params.multipleOf}`;
    case 'x-alias-of':
      return `${path} must be the same as ${error.schema}`;
    case 'maxProperties':
      return `${path} must not have more than ${params.limit} names`;
    case 'minProperties':
      return describeNoField(path, Object.keys(error.parentSchema?.properties ?? {}));
    default:
      return `${path || 'body'} ${error.message ?? 'is not valid'}`;
  }
}

/** Describes a violated rule of a query, whose values are texts. */
export function describeQueryIssue(error: ErrorObject): string {
  const name = error.instancePath.slice(1);
  if (Array.isArray(error.data)) return `${name} must not be given more than once`;
  if (error.data === '' && error.keyword === 'type') return `${name} should not be empty`;
  return describeIssue(error);
}

/** Says that an object has none of its fields. */
function describeNoField(path: string, names: readonly string[]): string {
  return `${path || 'body'} must have at least one of the fields ${names.join(', ')}`;
}

/** Rules whose violation by an empty string is best called that. */
const emptyKeywords = new Set(['minLength', 'pattern', 'format']);

const patterns: ReadonlyMap<string, TextPattern> = new Map(
  Object.values(textPatterns).map((each) => [each.pattern, each]),
);

const plainNumber = /^(-?)0*(\d+)(?:\.\d+)?$/;

/** What is wrong with a text that does not match. A number out of range may have the right form otherwise. */
function describeMismatch(pattern: string, text: string): string {
  const { issue = 'has an invalid form', maximum } = patterns.get(pattern) ?? {};
  const [, sign, digits = ''] = (maximum && plainNumber.exec(text)) || [];
  if (sign) return 'must not be less than 0';
  const [longest = ''] = maximum?.split('.') ?? [];
  return digits.length > longest.length ? `must not be greater than ${maximum}` : issue;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer number',
  number: 'a number',
  boolean: 'a boolean value',
  array: 'an array',
  object: 'an object',
  'string,null': 'a string or null',
  'number,string': 'a number or a decimal string',
  'number,string,null': 'a number, a decimal string or null',
  'object,null': 'an object or null',
  'array,null': 'an array or null',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email',
  uuid: 'a UUID',
  uri: 'a URL address',
  date: 'a valid ISO 8601 date string',
  moment: 'a valid ISO 8601 date string',
  country: 'an ISO 3166-1 country code',
  'country-or-empty': 'an ISO 3166-1 country code',
  amount: textPatterns.amount.issue.replace('must be ', ''),
};

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
