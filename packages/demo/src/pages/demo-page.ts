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

/** Writes a page. Every text is escaped; the page contains no script. */
export function renderDemoPage({ title, summary, facts, choices, result, returnUrl }: DemoPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Keyfront demo</title>
<link rel="stylesheet" href="/demo/provider.css">
</head>
<body>
<main>
<p class="badge">Keyfront demo</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(summary)}</p>
${renderFacts(facts)}${result ? `<p class="result ${result.tone}" role="status">${escapeHtml(result.text)}</p>\n` : ''}${renderForm(choices)}${
  returnUrl
    ? `<p><a class="button primary" href="${escapeHtml(returnUrl)}" rel="noreferrer">Return to the shop</a></p>\n`
    : ''
}</main>
<footer><p>This page plays the part of an outside provider. It exists only in the demo: no real identity is checked,
and no money moves. Your choice is signed and sent to the callback of the service.</p></footer>
</body>
</html>
`;
}

function renderFacts(facts: DemoPage['facts']): string {
  const entries = Object.entries(facts);
  if (entries.length === 0) return '';
  const rows = entries.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<dl>\n${rows.join('\n')}\n</dl>\n`;
}

/** The form is sent to the address of the page, whose query proves that the visitor was given the link. */
function renderForm(choices: readonly DemoChoice[]): string {
  if (choices.length === 0) return '';
  const buttons = choices.map(
    ({ label, status, isPrimary }) =>
      `<button class="button${isPrimary ? ' primary' : ''}" name="status" value="${escapeHtml(status)}">${escapeHtml(label)}</button>`,
  );
  return `<form method="post">
${buttons.join('\n')}
</form>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
