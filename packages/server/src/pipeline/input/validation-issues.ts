import { textPatterns } from '@keyfront/protocol';
import type { ErrorObject } from 'ajv';

/** Describes a violated rule in one sentence that begins with the path of the field. */
export function describeIssue(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
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
      return `${path} ${patternIssues.get(params.pattern) ?? 'has an invalid form'}`;
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
      return `${path} must be a multiple of ${params.multipleOf}`;
    case 'minProperties':
      return describeNoField(path, Object.keys(error.parentSchema?.properties ?? {}));
    default:
      return `${path || 'body'} ${error.message ?? 'is not valid'}`;
  }
}

/** Says that an object has none of its fields. */
export function describeNoField(path: string, names: readonly string[]): string {
  return `${path || 'body'} must have at least one of the fields ${names.join(', ')}`;
}

/** Rules whose violation by an empty string is best called that. */
const emptyKeywords = new Set(['minLength', 'pattern', 'format']);

const patternIssues = new Map<string, string>(
  Object.values(textPatterns).map(({ pattern, issue }) => [pattern, issue]),
);

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer number',
  number: 'a number',
  boolean: 'a boolean value',
  array: 'an array',
  object: 'an object',
  'string,null': 'a string or null',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email',
  uuid: 'a UUID',
  uri: 'a URL address',
  'date-time': 'a valid ISO 8601 date string',
  date: 'a valid ISO 8601 date string',
};

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
