import { announce } from './announce.ts';

const confirmationMs = 2000;

/** Makes the buttons of code panels copy the code that the panel shows. */
export function enableCopyButtons(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button.copy') : null;
    const code = button?.closest('.panel')?.querySelector(':not([hidden]) > pre > code');
    if (!button || !code) return;
    const isCopied = await copyText(code);
    confirm(button, isCopied ? 'Copied' : 'Press Ctrl+C');
  });
}

/** False where the browser refuses; the code is selected then, so that the reader can copy it. */
async function copyText(code: Element): Promise<boolean> {
  try {
    // Only there on pages that came over HTTPS or from this machine.
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}

function confirm(button: Element, text: string): void {
  const label = button.querySelector('span');
  if (!label) return;
  label.textContent = text;
  announce(text);
  setTimeout(() => {
    label.textContent = 'Copy';
  }, confirmationMs);
}
