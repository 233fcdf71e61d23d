/**
 * An OpenAPI 3.1 document, as far as the reference reads it. Anything may be left out that the specification leaves
 * optional, and any object may be a `$ref` into `components`.
 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [name: string]: unknown };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly security?: readonly SecurityRequirement[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: Readonly<Record<string, unknown>>;
}

/** Schemes that must all be satisfied, by name. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OpenApiOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, object>>;
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema?: object;
  readonly example?: unknown;
}

/** The convention of Redocly for samples that the author of the document provides. */
export interface CodeSample {
  readonly lang: string;
  readonly label?: string;
  readonly source: string;
}
