import { type Static, type TSchema, Type } from 'typebox';

/** What every answer is wrapped in. */
export interface Envelope<Data> {
  readonly success: boolean;
  readonly statusCode: number;
  readonly message: string;
  readonly data: Data;
}

export const successMessage = 'Success';

/** The schema of a success that carries `data`. */
export const SuccessEnvelope = <Data extends TSchema>(data: Data) =>
  Type.Object({
    success: Type.Boolean({ description: 'true for every success', examples: [true] }),
    statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [200] }),
    message: Type.String({ examples: [successMessage] }),
    data,
  });

export const ErrorEnvelope = Type.Object({
  success: Type.Boolean({ description: 'false for every error', examples: [false] }),
  statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [404] }),
  message: Type.String({ description: 'One sentence that says what is wrong' }),
  data: Type.Null(),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

export const ValidationErrorEnvelope = Type.Object({
  success: Type.Boolean({ description: 'false for every error', examples: [false] }),
  statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [400] }),
  message: Type.String({ examples: ['Validation failed'] }),
  data: Type.Array(Type.String(), {
    description: 'One sentence for each violated rule, all of them at once, each beginning with the field',
    examples: [['page must not be less than 1', 'email must be an email']],
  }),
});
export type ValidationErrorEnvelope = Static<typeof ValidationErrorEnvelope>;

/** Wraps the data of a success. */
export function success<Data>(statusCode: number, data: Data): Envelope<Data> {
  return { success: true, statusCode, message: successMessage, data };
}

/** Wraps an error. `data` is null but for the sentences of a failed validation. */
export function failure(
  statusCode: number,
  message: string,
  data: string[] | null = null,
): Envelope<string[] | null> {
  return { success: false, statusCode, message, data };
}
