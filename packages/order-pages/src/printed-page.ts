import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '@keyfront/api-reference/html';
import type { OrderDetails, ShippingAddress } from '@keyfront/protocol';
import { printStyle } from './print-style.ts';

/** A page, and what a browser may do with it. */
export interface PrintablePage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

const styleHash = createHash('sha256').update(printStyle).digest('base64');

/** Only the style sheet of the page itself applies, and nothing is loaded, run or sent. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What is the same on every page of a service. */
export interface PrintSettings {
  readonly sellerName: string;
  /** Whether nothing was really sold. */
  readonly isSandbox: boolean;
}

interface Heading extends PrintSettings {
  readonly title: string;
  readonly order: Pick<OrderDetails, 'invoiceNumber' | 'externalReference' | 'createdAt'>;
}

/** Renders a page about an order, to print. It contains no script. */
export function renderPage({ title, sellerName, isSandbox, order }: Heading, content: Html): PrintablePage {
  const { invoiceNumber, externalReference, createdAt } = order;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} ${invoiceNumber}</title>
<style>${trusted(printStyle)}</style>
</head>
<body>
<main>
<header>
<p class="seller">${sellerName}</p>
<div><h1>${title}</h1>
<dl>
<div><dt>Number</dt><dd>${invoiceNumber}</dd></div>
<div><dt>Date</dt><dd>${renderDate(createdAt)}</dd></div>
${externalReference ? html`<div><dt>Your reference</dt><dd>${externalReference}</dd></div>` : null}
</dl></div>
</header>
${isSandbox ? html`<p class="notice">Sandbox. Nothing was really sold, paid or sent.</p>\n` : null}${content}
</main>
</body>
</html>
`;
  return { html: page.toString(), contentSecurityPolicy };
}

export function listAddress(address: ShippingAddress | null): string[] {
  if (!address) return ['No address'];
  const { address1, address2, landmark, postalCode, city, state, country, countryCode } = address;
  const town = `${postalCode} ${city}`.trim();
  // A city that is a state of its own is written once.
  return [address1, address2, landmark, town, state === city ? '' : state, country || countryCode];
}

/** Renders the texts that are not empty, each on a line. */
export function renderLines(texts: readonly string[]): Html {
  const lines = texts.filter(Boolean).map((text, index) => (index === 0 ? html`${text}` : html`<br>${text}`));
  return html`${lines}`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function renderDate(time: string): Html {
  return html`<time datetime="${time}">${dateFormat.format(new Date(time))}</time>`;
}
