import type { Field } from './schema-fields.ts';
import type { Fact } from './schema-words.ts';

/** An OpenAPI document as the page shows it: references resolved, schemas turned into fields, samples chosen. */
export interface Reference {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Markdown, like every description. */
  readonly description: string;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly schemes: readonly SecurityScheme[];
  readonly groups: readonly OperationGroup[];
}

export interface SecurityScheme {
  /** How the credential is called; Markdown. */
  readonly label: string;
  /** Where it is sent; Markdown. Empty where that needs no words. */
  readonly place: string;
  readonly description: string;
}

export interface OperationGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The path, or the name of a webhook. */
  readonly path: string;
  readonly isWebhook: boolean;
  readonly title: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The credentials that it takes, in words; null where it takes none. */
  readonly access: string | null;
  readonly parameters: readonly ParameterList[];
  readonly body: Body | null;
  readonly responses: readonly Response[];
  readonly samples: readonly Sample[];
}

export interface ParameterList {
  /** `path`, `query`, `header` or `cookie`. */
  readonly place: string;
  readonly fields: readonly Field[];
}

export interface Body {
  readonly isRequired: boolean;
  readonly contentType: string;
  readonly description: string;
  /** Rules for the body as a whole. */
  readonly facts: readonly Fact[];
  readonly fields: readonly Field[];
}

export interface Response {
  readonly status: string;
  readonly isSuccess: boolean;
  readonly description: string;
  readonly fields: readonly Field[];
  /** Content types other than the one whose fields are shown. */
  readonly otherContentTypes: readonly string[];
  readonly headers: readonly Field[];
  readonly examples: readonly Example[];
}

export interface Example {
  /** Empty where the response has a single example without a name. */
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
}

export interface Sample {
  readonly label: string;
  readonly language: string;
  readonly source: string;
}
