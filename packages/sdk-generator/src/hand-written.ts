/**
 * Methods that the generator leaves out, by group. The class of such a group is written by hand: the file
 * `packages/sdk/src/resources/<group>-resource.ts` extends the generated class and adds the methods.
 */
export const handWritten: Readonly<Record<string, readonly string[]>> = {
  events: ['list', 'stream', 'get'],
  orders: ['export'],
  sales: ['update'],
};
