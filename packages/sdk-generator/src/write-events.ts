import type { eventTable } from '@keyfront/protocol';
import type { JsonSchema } from './json-schema.ts';
import { writeComment } from './write-comment.ts';
import { writeType } from './write-type.ts';

/** Writes `events.ts`: the type of `data` for each type of event. */
export function writeEvents(events: typeof eventTable): string {
  const entries = Object.entries(events).map(([type, { data, when }]) => ({
    type,
    when,
    data: writeType(data as JsonSchema, '  '),
  }));
  const names = [...new Set(entries.map(({ data }) => data))].toSorted();
  return `import type { ${names.join(', ')} } from './types.ts';

/** The resource that an event of each type is about. */
export interface EventDataByType {
${entries.map(({ type, when, data }) => `${writeComment([`${when}.`], '  ')}  readonly '${type}': ${data};\n`).join('')}}
`;
}
