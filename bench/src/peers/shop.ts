/** A shop that customers order from: Keyfront or one of its peers. */
export interface Shop {
  readonly name: string;
  /** What an order does, and what is left out. */
  readonly about: string;
  /** Places one paid order of the n-th customer, who has an empty cart. Throws if there is no such order at the end. */
  order(send: Send, customer: number): Promise<void>;
}

/** Sends a request. Throws unless the response is a 2xx. */
export type Send = (url: string, request?: ShopRequest) => Promise<ShopResponse>;

interface ShopRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON of a POST request. */
  readonly body: string;
}

export interface ShopResponse {
  readonly headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: The shops answer with JSON of their own, and a wrong path fails the order.
  readonly body: any;
}

/** The catalogue and the customers of every shop. */
export const productCount = 500;
export const customerCount = 320;

/** The three products in the cart of a customer. They always differ. */
export function productsOf(customer: number): number[] {
  return [0, 1, 2].map((line) => (customer * 7 + line * 167) % productCount);
}
