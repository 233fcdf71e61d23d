import type { Operation } from '../openapi/reference.ts';
import { type Html, html, trusted } from './html.ts';

const methodKinds = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The method of an operation. A webhook shows that it is an event. */
export function methodBadge({ method, isWebhook }: Pick<Operation, 'method' | 'isWebhook'>): Html {
  if (isWebhook) return html`<span class="method event">EVENT</span>`;
  return html`<span class="method ${methodKinds.has(method) ? method.toLowerCase() : 'other'}">${method}</span>`;
}

const breakPoint = trusted('<wbr>');

/** A path that lines break at its slashes. */
export function breakablePath(path: string): Html {
  const [first = '', ...steps] = path.split('/');
  return html`${first}${steps.map((step) => {
    const isParameter = step.startsWith('{');
    return html`${breakPoint}/${isParameter ? html`<span class="variable">${step}</span>` : step}`;
  })}`;
}

/** What a list says about an operation. */
export function firstParagraph(markdown: string): string {
  return markdown.trim().split(/\n\s*\n/)[0] ?? '';
}
