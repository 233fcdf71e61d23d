import { Type } from 'typebox';

/** A UUID as the database takes it: in any case of its letters, and nothing before it. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID; version 7 when it was made by the service. */
export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** A decimal with two digits, as text: money never passes through a float. */
export const Money = (description: string) =>
  Type.String({ pattern: '^\\d+\\.\\d{2}$', description, examples: ['120.00'] });

/** ISO 4217. */
export const Currency = () =>
  Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the currency', examples: ['EUR'] });

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] });

export const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** Where a picture is, as it comes in; null takes it away. */
export const ImageUrl = () =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uri',
    pattern: '^https?://[^/?#]',
    maxLength: 2048,
    description: 'Address of its picture',
    examples: ['https://images.example/7.png'],
  });

/** A digital key to filter a list by. Text, so that it may be empty, as every filter may. */
export const TokenFilter = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{0,16}$', description, examples: ['1001'] }));
