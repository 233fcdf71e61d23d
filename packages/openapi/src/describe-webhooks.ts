import {
  type EventType,
  eventTable,
  isCatalogueEvent,
  TokenId,
  textPatterns,
  WebhookTestData,
  webhookTestType,
} from '@keyfront/protocol';
import { type TSchema, Type } from 'typebox';
import type { SchemaComponents } from './schema-components.ts';

/** What endpoints receive: an event of each type, and the message of a test. */
interface Message {
  readonly type: string;
  readonly when: string;
  readonly id: { readonly pattern: string; readonly description: string };
  readonly tokenId: TSchema;
  readonly data: TSchema;
}

const eventId = {
  pattern: textPatterns.eventId.pattern,
  description:
    'Id of the event. It is the same for every attempt: ignore an id that you have already processed',
};
const tokenId = TokenId('Token id of the digital key');
const noTokenId = Type.Null({
  description: 'Null: the event is about the catalogue, and goes to every digital key',
});

const messages: readonly Message[] = [
  ...Object.entries(eventTable).map(([type, { data, when }]) => ({
    type,
    when,
    id: eventId,
    tokenId: isCatalogueEvent(type as EventType) ? noTokenId : tokenId,
    data,
  })),
  {
    type: webhookTestType,
    when: 'The holder has sent a test',
    id: { pattern: '^test_[0-9a-f-]{36}$', description: 'Id of the test. It is not the id of an event' },
    tokenId,
    data: WebhookTestData,
  },
];

const describeHeaders = ({ id }: Message) => [
  { name: 'webhook-id', description: id.description, schema: { type: 'string', pattern: id.pattern } },
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

/** Describes what the endpoints of webhooks receive: one entry for each type of message. */
export function describeWebhooks(schemas: SchemaComponents): Record<string, Record<string, object>> {
  return Object.fromEntries(
    messages.map((message) => [
      message.type,
      {
        post: {
          operationId: nameOperation(message.type),
          summary: message.when,
          description: `A message of the type \`${message.type}\`, as the Standard Webhooks specification says.`,
          tags: ['Webhooks'],
          security: [],
          parameters: describeHeaders(message).map((header) => ({ ...header, in: 'header', required: true })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'type', 'timestamp', 'tokenId', 'data'],
                  properties: {
                    id: { type: 'string', ...message.id },
                    type: { type: 'string', const: message.type },
                    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
                    tokenId: schemas.reference(message.tokenId),
                    data: schemas.reference(message.data),
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
function nameOperation(type: string): string {
  return `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
