/** A page, and what a browser may do with it. */
export interface HtmlPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}
