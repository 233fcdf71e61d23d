import { operationList } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { makeOpenApiDocument } from './openapi-document.ts';

interface BadRequest {
  readonly content: {
    readonly 'application/json': {
      readonly examples: { readonly VALIDATION_FAILED?: { readonly value: { readonly data: string[] } } };
    };
  };
}

it('shows in its 400 examples what is wrong with this operation', async () => {
  const { paths } = await makeOpenApiDocument('https://shop.test/api/v1', { isSandbox: true });
  const examples = operationList.flatMap((operation) => {
    const described = paths[versionPrefix + operation.path]?.[operation.method.toLowerCase()];
    const badRequest = described?.responses['400'] as BadRequest | undefined;
    const example = badRequest?.content['application/json'].examples.VALIDATION_FAILED;
    return example ? [{ operation, issues: example.value.data }] : [];
  });
  expect(examples.length).toBeGreaterThan(50);
  for (const { operation, issues } of examples) {
    const { id, parameters, query, body } = operation;
    const names = [parameters, query, body].flatMap((schema) => Object.keys(schema?.properties ?? {}));
    // A field where no body is expected, and a body that lacks one of several fields.
    const known = [...names, body ? 'body' : 'colour'].map((name) => name.toLowerCase());
    expect(issues.length).toBeGreaterThan(0);
    for (const issue of issues) {
      const [field = ''] = issue.split(/[ .]/);
      expect([id, issue, known]).toEqual([id, issue, expect.arrayContaining([field.toLowerCase()])]);
    }
  }
});
