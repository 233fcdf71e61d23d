/** How the operator has configured a provider. Plain values, so that they can be sent to a worker process. */
export interface ProviderConfig {
  /** The template of its links. */
  readonly url: string;
  /** Each in the form `whsec_…`. */
  readonly secrets: readonly string[];
}
