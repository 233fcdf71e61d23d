/** Describes a query parameter or a field of a body. */
export interface FieldDescription {
  readonly isRequired: boolean;
  /** The values of an enumeration; null for any other field. */
  readonly values: readonly string[] | null;
  readonly description: string | null;
}

/** Describes an operation for tools that list operations and complete their input. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  /** Who may call it: anybody, a signed request or a token, only a token, or the token of an administrator. */
  readonly access: 'public' | 'credential' | 'jwt' | 'administrator';
  /** Section of the API reference. */
  readonly tag: string;
  /** Name of the SDK method, such as `orders.create`. */
  readonly sdk: string;
  readonly summary: string;
  readonly isDeprecated: boolean;
  readonly query: Readonly<Record<string, FieldDescription>>;
  /** null for an operation without a body. */
  readonly body: Readonly<Record<string, FieldDescription>> | null;
}
