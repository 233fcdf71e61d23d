/** A script or the styles of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';

  constructor(cause: unknown) {
    super('The service did not send it. Check your connection, and try again.', { cause });
  }
}
