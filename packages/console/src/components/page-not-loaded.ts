import { texts } from '../texts/components.ts';
/** A script or the styles of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';

  constructor(cause: unknown) {
    super(texts.pageNotLoadedHint, { cause });
  }
}
