import { catalogue } from '@keyfront/sdk/operations';

/** Everything that an API key may be limited to, as the operations of the API have it. */
export const allScopes: readonly string[] = [
  ...new Set(
    Object.values(catalogue)
      .filter(({ access }) => access === 'credential')
      .map(({ sdk, method }) => `${sdk.split('.')[0]}:${method === 'GET' ? 'read' : 'write'}`),
  ),
].sort();
