import { isDeepStrictEqual } from 'node:util';
import { type Event, type EventType, eventTable, hiddenValue } from '@keyfront/protocol';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { compileUrlPublisher } from '../../pipeline/responses/url-publisher.ts';
import { formatEventId } from './event-id.ts';
import type { EventRow } from './event-queries.ts';
import { compileProjection, type Projection } from './project-by-schema.ts';

/** Describes the resources of snapshots, in their order. Null for a resource that no longer exists. */
export type DescribeSnapshots = (
  tx: RunStatement,
  snapshots: readonly string[],
) => Promise<(object | null)[]>;

interface EventDescriberOptions {
  /** By the kind of resource, which the type of an event begins with. */
  readonly describers: Readonly<Record<string, DescribeSnapshots>>;
  /** Converts a URL from the form that the database stores. */
  readonly publishUrl: (url: string) => string;
}

/** Converts rows of the log to events. */
export type DescribeEvents = (tx: RunStatement, rows: readonly EventRow[]) => Promise<Event[]>;

/** Returns a function that converts rows of the log to events. Rows of one kind of resource are read together. */
export function createEventDescriber({ describers, publishUrl }: EventDescriberOptions): DescribeEvents {
  const forms = new Map<EventType, EventForm>();
  for (const [type, { data }] of Object.entries(eventTable)) {
    const project = compileProjection(data);
    const publish = compileUrlPublisher(data, publishUrl) ?? ((value) => value);
    forms.set(type as EventType, {
      project: (value) => publish(project(value)),
      unlistedChanges: new Set(['updatedAt', ...listFormerNames(data.properties)]),
    });
  }

  return async (tx, rows) => {
    const groups = new Map<DescribeSnapshots, EventRow[]>();
    for (const row of rows) {
      const describe = describers[row.type.slice(0, row.type.indexOf('.'))];
      if (!describe) throw new Error(`Events of type ${row.type} cannot be described`);
      const group = groups.get(describe) ?? [];
      group.push(row);
      groups.set(describe, group);
    }
    const described = new Map<EventRow, Event>();
    await Promise.all(
      [...groups].map(async ([describe, group]) => {
        const updates = group.filter(({ earlierSnapshot }) => earlierSnapshot !== null);
        const resources = await describe(tx, [
          ...group.map(({ snapshot }) => snapshot),
          ...updates.map(({ earlierSnapshot }) => earlierSnapshot ?? ''),
        ]);
        const earlier = new Map(updates.map((row, index) => [row, resources[group.length + index]]));
        for (const [index, row] of group.entries()) {
          const resource = resources[index];
          const form = forms.get(row.type);
          if (resource && form) described.set(row, toEvent(row, form, resource, earlier.get(row)));
        }
      }),
    );
    return rows.map((row) => described.get(row)).filter((event) => event !== undefined);
  };
}

interface EventForm {
  readonly project: Projection;
  /** The time of the update is not a change of its own, and a change has one name. */
  readonly unlistedChanges: ReadonlySet<string>;
}

function listFormerNames(properties: Readonly<Record<string, object>>): string[] {
  return Object.keys(properties).filter((name) => Reflect.get(properties[name] ?? {}, 'deprecated'));
}

function toEvent(
  row: EventRow,
  { project, unlistedChanges }: EventForm,
  resource: object,
  earlier: object | null | undefined,
): Event {
  const { type, createdAt, tokenId } = row;
  const data = project(resource) as Event['data'];
  const event = { id: formatEventId(row, createdAt), type, createdAt, tokenId, data };
  if (!earlier) return event;
  const changes = findChanges(project(earlier) as Event['data'], data, unlistedChanges);
  if (row.changesMedicalRecord) changes.medicalRecord = { from: hiddenValue, to: hiddenValue };
  return { ...event, changes };
}

/** Finds the fields that differ. */
function findChanges(
  earlier: Event['data'],
  later: Event['data'],
  unlisted: ReadonlySet<string>,
): NonNullable<Event['changes']> {
  const changes: NonNullable<Event['changes']> = {};
  for (const [name, to] of Object.entries(later)) {
    const from = earlier[name];
    if (!unlisted.has(name) && !isDeepStrictEqual(from, to)) changes[name] = { from, to };
  }
  return changes;
}
