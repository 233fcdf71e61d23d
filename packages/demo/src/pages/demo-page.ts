import { type Html, html } from '@keyfront/api-reference/html';

/** A button of a page, and the report that it sends. */
export interface DemoChoice {
  readonly label: string;
  /** The status of the report. */
  readonly status: string;
  readonly isPrimary: boolean;
}

export interface DemoPage {
  readonly title: string;
  /** One sentence below the title. */
  readonly summary: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Empty where nothing is left to choose. */
  readonly choices: readonly DemoChoice[];
  /** What a visitor sees in place of the form, and whether it is good news. */
  readonly result?: { readonly text: string; readonly tone: 'good' | 'bad' | 'neutral' };
  /** Where the visitor goes on. */
  readonly returnUrl?: string | null;
}

/** Writes a page of the demo or of a sandbox. Every text is escaped; the page contains no script. */
export function renderDemoPage(
  { title, summary, facts, choices, result, returnUrl }: DemoPage,
  isSandbox = false,
): string {
  const mark = isSandbox ? 'Sandbox' : 'Keyfront demo';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${mark}</title>
<link rel="stylesheet" href="/demo/provider.css">
</head>
<body>
<main>
<p class="badge">${mark}</p>
<h1>${title}</h1>
<p>${summary}</p>
${renderFacts(facts)}${result ? html`<p class="result ${result.tone}" role="status">${result.text}</p>\n` : null}${renderForm(choices)}${
  returnUrl
    ? html`<p><a class="button primary" href="${returnUrl}" rel="noreferrer">Return to the shop</a></p>\n`
    : null
}</main>
<footer><p>This page plays the part of an outside provider. No real identity is checked, and no money
moves. Your choice is signed and sent to the callback of the service.</p></footer>
</body>
</html>
`.toString();
}

function renderFacts(facts: DemoPage['facts']): Html | null {
  const rows = Object.entries(facts).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  );
  return rows.length === 0 ? null : html`<dl>\n${rows}</dl>\n`;
}

/** The form is sent to the address of the page, whose query proves that the visitor was given the link. */
function renderForm(choices: readonly DemoChoice[]): Html | null {
  const buttons = choices.map(
    ({ label, status, isPrimary }) =>
      html`<button class="button${isPrimary ? ' primary' : ''}" name="status" value="${status}">${label}</button>\n`,
  );
  return buttons.length === 0 ? null : html`<form method="post">\n${buttons}</form>\n`;
}
