import { type Static, type TSchema, Type } from 'typebox';
import { type ErrorCode, errorCodes, errorTable } from './errors.ts';
import { Nullable, StringEnum } from './schemas/values.ts';

/** The envelope of a success. */
export interface SuccessEnvelope<Data> {
  readonly success: true;
  readonly statusCode: number;
  readonly message: string;
  readonly data: Data;
}

export const successMessage = 'Success';

/** The schema of a success that carries `data`. */
export const SuccessEnvelope = <Data extends TSchema>(status: number, data: Data) =>
  Type.Object({
    success: Type.Boolean({ description: 'true for every success', examples: [true] }),
    statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [status] }),
    message: Type.String({ description: 'Always `Success`', examples: [successMessage] }),
    data,
  });

const errorFields = {
  success: Type.Boolean({ description: 'false for every error', examples: [false] }),
  statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [404] }),
  code: StringEnum(errorCodes, {
    title: 'ErrorCode',
    description: 'Stable name of the error for programs. New codes may be added.',
  }),
};

export const ErrorEnvelope = Type.Object(
  {
    ...errorFields,
    message: Type.String({
      description: 'One sentence that says what is wrong',
      examples: ['Order not found'],
    }),
    data: Type.Null(),
  },
  { title: 'Error' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** A response lists no more violated rules than this. */
export const maximumIssues = 50;

export const ValidationErrorEnvelope = Type.Object(
  {
    ...errorFields,
    statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [400] }),
    message: Type.String({
      description: '`Validation failed`, or what is wrong with the request itself',
      examples: ['Validation failed'],
    }),
    data: Nullable(
      Type.Array(Type.String(), {
        maxItems: maximumIssues,
        description:
          'One sentence for each violated rule. Each begins with the path of the field. Null if the code is `MALFORMED_REQUEST`.',
        examples: [['email must be an email']],
      }),
    ),
  },
  { title: 'ValidationError' },
);
export type ValidationErrorEnvelope = Static<typeof ValidationErrorEnvelope>;

/** Wraps the data of a success. */
export function success<Data>(statusCode: number, data: Data): SuccessEnvelope<Data> {
  return { success: true, statusCode, message: successMessage, data };
}

/** Wraps an error. `data` is null, except for the issues of a failed validation. */
export function failure(
  code: ErrorCode,
  message: string = errorTable[code].message,
  issues: readonly string[] | null = null,
) {
  return { success: false, statusCode: errorTable[code].status, code, message, data: issues } as const;
}
