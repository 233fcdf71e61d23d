import {
  compileNullFields,
  compileUnknownFields,
  compileValidator,
  describeQueryIssue,
  findUnstorableText,
  parseQuery,
  readQueryValues,
  type Validate,
} from '@keyfront/validation';
import type { FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { validationFailed } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import type { AliasedOperation } from '../aliases/route-alias.ts';
import { parseJsonBody } from './json-body.ts';
import { requireContentType } from './request-body.ts';

/** The parts of a request that an operation describes; the others are undefined. */
export interface Input {
  readonly parameters: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type InputSchemas = Pick<
  AliasedOperation,
  'method' | 'parameters' | 'query' | 'body' | 'ignoresUnknownBody' | 'queryInPath' | 'defaultTake'
>;

/**
 * Compiles a function that reads and validates all parts of a request and reports all issues together, including those of
 * its headers.
 */
export function compileInput(
  schemas: InputSchemas,
  findHeaderIssues?: (request: FastifyRequest) => string[],
): (request: FastifyRequest) => Input {
  const { method, query, ignoresUnknownBody } = schemas;
  const body = findBodySchema(schemas);
  const removeNullFields = compileNullFields(body ?? noFields);
  const readBody = ignoresUnknownBody ? readKnownFields(body ?? noFields) : readJsonBody;
  const validate = compileInputValidator(schemas);
  return (request) => {
    if (method !== 'GET') requireContentType(request, jsonTypes);
    const input = {
      parameters: request.params,
      query: query && readQueryValues(query, readQuery(request, schemas)),
      body: body && removeNullFields(readBody(request.body)),
    };
    const issues = validate(input);
    if (issues.length === 0) issues.push(...findUnstorableText(input.query));
    if (findHeaderIssues) issues.push(...findHeaderIssues(request));
    if (issues.length > 0) throw validationFailed(issues);
    return input;
  };
}

/** Compiles the validation alone. */
export function compileInputValidator(schemas: InputSchemas): (input: Input) => string[] {
  const { parameters, query } = schemas;
  const body = findBodySchema(schemas);
  const checkParameters = compilePart(parameters);
  const checkQuery = query ? compileValidator(query, describeQueryIssue) : noIssues;
  const checkBody = compilePart(body);
  const checkUnknownFields = body ? compileUnknownFields(body) : noIssues;
  return (input) => [
    ...checkParameters(input.parameters),
    ...checkQuery(input.query),
    ...checkBody(input.body),
    ...checkUnknownFields(input.body, input.parameters),
  ];
}

/** Parses the query. A parameter that is also part of the path counts as given twice. */
function readQuery(
  request: FastifyRequest,
  { queryInPath = [], defaultTake }: InputSchemas,
): Record<string, unknown> {
  const given: Record<string, unknown> = parseQuery(targetOf(request).query);
  const inPath = request.params as Record<string, string>;
  for (const name of queryInPath) given[name] = name in given ? [given[name], inPath[name]] : inPath[name];
  if (defaultTake && !('take' in given || 'limit' in given)) given.take = String(defaultTake);
  return given;
}

const jsonTypes = ['application/json'];
const noFields = Type.Object({});

/** An operation without a body of its own accepts an empty object only. The body of a GET is not read. */
function findBodySchema({ method, body }: InputSchemas): TObject | undefined {
  if (method === 'GET') return undefined;
  return body ?? noFields;
}

function compilePart(schema: TObject | undefined): Validate {
  return schema ? compileValidator(schema) : noIssues;
}

const noIssues: Validate = () => [];

/** The content-type parser passes the bytes on unchanged. A missing body is read as an empty object. */
function readJsonBody(raw: unknown): unknown {
  return Buffer.isBuffer(raw) && raw.length > 0 ? parseJsonBody(raw) : {};
}

/** Reads only the fields that a schema names. A body that is no JSON object has none. */
function readKnownFields({ properties }: TObject): typeof readJsonBody {
  return (raw) => {
    try {
      const body = readJsonBody(raw);
      if (typeof body !== 'object' || body === null) return {};
      return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)));
    } catch {
      return {};
    }
  };
}
