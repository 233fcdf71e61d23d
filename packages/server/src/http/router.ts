import { type ErrorCode, SuccessEnvelope, success } from '@keyfront/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { validationFailed } from '../api-error.ts';
import type { Scope } from '../database/scope.ts';
import type { Access, Guard } from './guard.ts';
import { parseJsonBody } from './json-body.ts';
import { readQueryValues } from './query-values.ts';
import type { LimitName } from './rate-limit/limits.ts';
import type { RateLimits } from './rate-limit/rate-limits.ts';
import { findUnstorableText } from './unstorable-text.ts';
import { compileValidator, type Validate } from './validator.ts';

/** Everything that is said about an operation: what is validated, what is answered, what stands in the reference. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the version prefix, with `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** A verb and a noun, unique: clients name their methods after it. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a public operation counts under, where that is not the limit of an address. */
  readonly limit?: LimitName;
  /** 201 for what creates. */
  readonly status?: 200 | 201;
  readonly parameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly answer: TSchema;
  /** Errors that it answers with beyond those that follow from what it takes and whom it admits. */
  readonly errors?: readonly ErrorCode[];
  /** A `data` that the operation may answer with, for the reference. */
  readonly example: unknown;
}

type Value<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** What a handler gets: the parts of the request as their schemas describe them, and the scope of the caller. */
export interface Call<Definition extends Operation> {
  readonly parameters: Value<Definition['parameters']>;
  readonly query: Value<Definition['query']>;
  readonly body: Value<Definition['body']>;
  readonly scope: Definition['access'] extends 'public' ? undefined : Scope;
}

type Handler<Definition extends Operation> = (
  call: Call<Definition>,
) => Promise<Static<Definition['answer']>> | Static<Definition['answer']>;

export const versionPrefix = '/api/v1';

/** Where resources put their operations. */
export class Router {
  readonly operations: Operation[] = [];
  readonly #app: FastifyInstance;
  readonly #guard: Guard;
  readonly #limits: RateLimits;

  constructor(app: FastifyInstance, guard: Guard, limits: RateLimits) {
    this.#app = app;
    this.#guard = guard;
    this.#limits = limits;
  }

  /** Adds one operation. The way of a request: who calls, what is asked, the rule, the envelope. */
  add<const Definition extends Operation>(definition: Definition, handle: Handler<Definition>): void {
    this.operations.push(definition);
    const { access, limit = 'address', status = 200 } = definition;
    const readInput = compileInput(definition);
    this.#app.route({
      method: definition.method,
      url: versionPrefix + definition.path,
      // Fastify serialises by this schema: an answer can only contain what it names.
      schema: { response: { [status]: SuccessEnvelope(definition.answer) } },
      handler: async (request, reply) => {
        if (access === 'public') reply.headers(await this.#limits.take(limit, request.ip));
        const scope = access === 'public' ? undefined : await this.#guard(request, reply, access);
        // The schemas have just proved the one, the access the other.
        const call = { ...readInput(request), scope } as Call<Definition>;
        const data = await handle(call);
        reply.code(status);
        return success(status, data);
      },
    });
  }
}

interface Input {
  readonly parameters: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Reads and checks all parts of a request, and complains about all of them at once. */
function compileInput({ parameters, query, body }: Operation): (request: FastifyRequest) => Input {
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
