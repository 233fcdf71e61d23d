export { compileNullFields } from './null-fields.ts';
export { parseQuery, readQueryValues } from './query-values.ts';
export { rewriteSchema } from './rewrite-schema.ts';
export { compileUnknownFields } from './unknown-fields.ts';
export { findUnstorableText } from './unstorable-text.ts';
export { describeQueryIssue } from './validation-issues.ts';
export { compileValidator, type Validate } from './validator.ts';
