import type { Operation } from '@keyfront/protocol';
import type { CallerScope } from '../../auth/guard.ts';
import { ApiError } from '../../lib/errors/api-error.ts';

/** Makes a function of an operation throw its `HOLDER_REQUIRED` for administrators, who have no digital key to act for. */
export function requireHolder<Call extends { readonly scope?: CallerScope }, Result>(
  { errors }: Operation,
  handle: (call: Call) => Result,
): (call: Call) => Result {
  if (!errors?.includes('HOLDER_REQUIRED')) return handle;
  return (call) => {
    if (call.scope?.role !== 'holder') throw new ApiError('HOLDER_REQUIRED');
    return handle(call);
  };
}
