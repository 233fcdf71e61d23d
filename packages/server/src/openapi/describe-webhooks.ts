import { type EventType, eventTable, textPatterns } from '@keyfront/protocol';
import type { SchemaComponents } from './schema-components.ts';

const headers = [
  {
    name: 'webhook-id',
    description: 'Id of the event. It is the same for every attempt: leave out what you have seen',
    schema: { type: 'string', pattern: textPatterns.eventId.pattern },
  },
  {
    name: 'webhook-timestamp',
    description: 'When the request was signed, in seconds since 1970. Refuse old ones',
    schema: { type: 'string', pattern: textPatterns.digits.pattern },
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the Base64 of the HMAC-SHA256 over `id.timestamp.body` with the secret. After a change of the secret there are ' +
      'two, separated by a space',
    schema: { type: 'string' },
  },
];

/** Describes what the endpoints of webhooks receive: one entry for each type of event. */
export function describeWebhooks(schemas: SchemaComponents): Record<string, Record<string, object>> {
  return Object.fromEntries(
    Object.entries(eventTable).map(([type, { data, when }]) => [
      type,
      {
        post: {
          operationId: nameOperation(type as EventType),
          summary: when,
          description: `The event \`${type}\`, as the Standard Webhooks specification says.`,
          tags: ['Webhooks'],
          security: [],
          parameters: headers.map((header) => ({ ...header, in: 'header', required: true })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'type', 'timestamp', 'tokenId', 'data'],
                  properties: {
                    id: { type: 'string', description: 'Id of the event' },
                    type: { type: 'string', const: type },
                    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
                    tokenId: {
                      type: ['integer', 'null'],
                      description: 'Token id of the digital key. Null: for every digital key',
                    },
                    data: schemas.reference(data),
                    changes: {
                      type: 'object',
                      description: 'The fields that an update changed, each as `{from, to}`',
                      additionalProperties: true,
                    },
                  },
                },
              },
            },
          },
          responses: {
            '2XX': {
              description: 'Accepted. Any other response, or none within 15 seconds, is repeated later',
            },
            '410': { description: 'The endpoint is gone. The webhook is disabled' },
          },
        },
      },
    ]),
  );
}

/** `order.created` becomes `onOrderCreated`. */
function nameOperation(type: EventType): string {
  return `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
