import { maximumIssues } from '@keyfront/protocol';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { describeIssue } from './validation-issues.ts';
import { compileValidator } from './validator.ts';

it('writes no more sentences than a response reports', () => {
  const item = Type.Object({ strainId: Type.String(), quantity: Type.Integer(), note: Type.String() });
  let written = 0;
  const validate = compileValidator(Type.Object({ items: Type.Array(item) }), (error) => {
    written++;
    return describeIssue(error);
  });
  const issues = validate({ items: Array.from({ length: 10_000 }, () => ({})) });
  expect(issues).toHaveLength(maximumIssues);
  expect(issues[0]).toBe('items.0.strainId is required');
  expect(written).toBe(maximumIssues);
});
