/** The path of images below the root of the service. */
export const imagesPath = '/images/';

/**
 * The URLs of images. The database stores images of this service as paths, so that they stay valid when the service gets another
 * address. Responses contain whole URLs.
 */
export class ImageUrls {
  readonly #baseUrl: () => string;

  /** The base URL ends with the version prefix. */
  constructor(baseUrl: () => string) {
    this.#baseUrl = baseUrl;
  }

  /** Converts a stored URL for a response. The router does it for every URL of a response. */
  publish(stored: string): string {
    return stored.startsWith(imagesPath) ? this.#root + stored : stored;
  }

  /** Converts the URL of a request for the database. */
  store(url: string): string;
  store(url: string | null): string | null;
  store(url: string | null): string | null {
    const own = this.#root + imagesPath;
    return url?.startsWith(own) ? imagesPath + url.slice(own.length) : url;
  }

  get #root(): string {
    return this.#baseUrl().replace(/\/api\/v1$/, '');
  }
}
