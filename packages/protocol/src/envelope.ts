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
    data: Type.Null({ description: 'Always null' }),
  },
  { title: 'ErrorResponse' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

export const AuthenticationErrorEnvelope = Type.Object(
  {
    ...errorFields,
    statusCode: Type.Integer({ description: 'Mirrors the HTTP status', examples: [401] }),
    message: Type.String({
      description: '`User is not authorized`, or `Unauthorized` where only a JWT is accepted',
      examples: ['User is not authorized'],
    }),
    reason: Type.String({
      description:
        'One sentence that says what is wrong with the credentials. It describes only the request itself. `WWW-Authenticate` ' +
        'has the same sentence as its `error_description`',
      examples: ['x-auth-apikey is missing; x-auth-signature is missing'],
    }),
    data: Type.Null({ description: 'Always null' }),
  },
  { title: 'AuthenticationError' },
);
export type AuthenticationErrorEnvelope = Static<typeof AuthenticationErrorEnvelope>;

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

/** Wraps an error. `data` is null, except for the issues of a failed validation. A 401 has a reason. */
export function failure(
  code: ErrorCode,
  message: string = errorTable[code].message,
  issues: readonly string[] | null = null,
  reason: string | null = null,
) {
  const { status: statusCode } = errorTable[code];
  const explained = reason === null ? {} : { reason };
  return { success: false, statusCode, code, message, ...explained, data: issues } as const;
}
