import { momentFormat } from '@keyfront/protocol';
import type { ErrorObject } from 'ajv';

/** Says in one sentence which rule a value breaks, beginning with the path of the field. */
export function validationIssue(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${join(path, params.missingProperty)} should not be empty`;
    case 'additionalProperties':
      return `${join(path, params.additionalProperty)} should not exist`;
    case 'type':
      return `${path || 'body'} must be ${typeNames[String(params.type)] ?? `a ${params.type}`}`;
    case 'enum':
      // An empty value is allowed where it means "no filter", and needs no mention.
      return `${path} must be one of the following values: ${params.allowedValues.filter(Boolean).join(', ')}`;
    case 'format':
      return `${path} must be ${formatNames[params.format] ?? `a valid ${params.format}`}`;
    case 'pattern':
      return `${path} must have the form ${params.pattern}`;
    case 'minimum':
      return `${path} must not be less than ${params.limit}`;
    case 'maximum':
      return `${path} must not be greater than ${params.limit}`;
    case 'minLength':
      return params.limit === 1
        ? `${path} should not be empty`
        : `${path} must be longer than or equal to ${params.limit} characters`;
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
      return `${path || 'body'} must have at least ${params.limit} of its fields`;
    default:
      return `${path || 'body'} ${error.message ?? 'is not valid'}`;
  }
}

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
  [momentFormat]: 'a valid ISO 8601 date string',
};

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
