import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { validationFailed } from '../../api-error.ts';
import { parseJsonBody } from './json-body.ts';
import { readQueryValues } from './query-values.ts';
import { findUnstorableText } from './unstorable-text.ts';
import { compileValidator, type Validate } from './validator.ts';

/** The parts of a request that an operation describes; what it does not describe is undefined. */
export interface Input {
  readonly parameters: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface InputSchemas {
  readonly parameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

/** Reads and checks all parts of a request, and complains about all of them at once. */
export function compileInput({ parameters, query, body }: InputSchemas): (request: FastifyRequest) => Input {
  const checkParameters = compilePart(parameters);
  const checkQuery = compilePart(query);
  const checkBody = compilePart(body);
  return (request) => {
    const input = {
      parameters: parameters && request.params,
      query: query && readQueryValues(query, request.query as Record<string, unknown>),
      body: body && readBody(request.body),
    };
    const sentences = [
      ...checkParameters(input.parameters),
      ...checkQuery(input.query),
      ...checkBody(input.body),
    ];
    if (sentences.length === 0) sentences.push(...findUnstorableText(input.query));
    if (sentences.length > 0) throw validationFailed(sentences);
    return input;
  };
}

function compilePart(schema: TObject | undefined): Validate {
  return schema ? compileValidator(schema) : () => [];
}

/** The content-type parser hands on the bytes as they came; a body that is not there reads as an empty object. */
function readBody(raw: unknown): unknown {
  return Buffer.isBuffer(raw) && raw.length > 0 ? parseJsonBody(raw) : {};
}
