/** Where traces are sent, and how many. */
export interface TracingConfig {
  /** The base URL of a receiver of OTLP over HTTP. */
  readonly endpoint: string;
  /** Sent with each batch, for example with a token of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of requests that are traced, from 0 to 1. */
  readonly sampleRatio: number;
}
