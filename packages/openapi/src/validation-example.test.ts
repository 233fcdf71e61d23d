import { type Operation, operationList } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { validationExample } from './validation-example.ts';

function findOperation(id: string): Operation {
  const operation = operationList.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
}

/** The inputs that a service is asked about if it accepts all of them. */
function candidatesOf(id: string): unknown[] {
  const candidates: unknown[] = [];
  const compileValidator = () => (input: unknown) => {
    candidates.push(input);
    return [];
  };
  expect(validationExample(findOperation(id), compileValidator)).toEqual([
    'idempotency-key should not be empty',
  ]);
  return candidates;
}

describe('the example of a failed validation', () => {
  it('is what the validation of the operation says about the first input that it refuses', () => {
    const compileValidator = ({ id }: Operation) => {
      const issues = [[], [`${id} is wrong`], ['never asked']];
      return () => issues.shift() ?? [];
    };
    expect(validationExample(findOperation('listOrders'), compileValidator)).toEqual(['listOrders is wrong']);
  });

  it('leaves out what is required, breaks a rule, and sends an unknown field', () => {
    const { example } = findOperation('updateAdminOrder');
    const candidates = candidatesOf('updateAdminOrder');
    expect(candidates[0]).toEqual({ parameters: example.parameters, query: {}, body: {} });
    expect(candidates).toContainEqual({
      parameters: { orderId: 'invalid value' },
      query: {},
      body: example.body,
    });
    expect(candidates.at(-1)).toMatchObject({ body: { colour: 'red' } });
  });

  it('goes below the minimum of a number in a query', () => {
    expect(candidatesOf('listOrders')).toContainEqual(
      expect.objectContaining({ query: expect.objectContaining({ page: 0 }) }),
    );
  });
});
