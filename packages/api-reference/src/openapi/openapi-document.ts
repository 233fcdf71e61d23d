/**
 * An OpenAPI 3.1 document, as far as the reference reads it. Anything may be left out that the specification leaves
 * optional, and any object may be a `$ref` into `components`.
 */
export interface ReferenceDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly security?: readonly SecurityRequirement[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components?: Readonly<Record<string, unknown>>;
}

/** Schemes that must all be satisfied, by name. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The convention of Redocly for samples that the author of the document provides. */
export interface CodeSample {
  readonly lang: string;
  readonly label?: string;
  readonly source: string;
}

/** A document that leaves nothing open, for services that generate theirs. */
export interface OpenApiDocument extends ReferenceDocument {
  readonly openapi: '3.1.0';
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security: readonly SecurityRequirement[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: object };
  readonly responses: Readonly<Record<string, object>>;
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
  readonly example?: unknown;
}
