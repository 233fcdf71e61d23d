import type { ErrorObject } from 'ajv';
import { describeIssue } from './validation-issues.ts';

/** Describes a violated rule of a query, whose values are texts. */
export function describeQueryIssue(error: ErrorObject): string {
  const name = error.instancePath.slice(1);
  if (Array.isArray(error.data)) return `${name} must not be given more than once`;
  if (error.data === '' && error.keyword === 'type') return `${name} should not be empty`;
  return describeIssue(error);
}
