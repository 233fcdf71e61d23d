import { styleNonce } from '../page-settings.ts';

/** The browser has not let the console open a tab. */
class TabRefused extends Error {
  constructor() {
    super('The browser has refused to open a tab. Allow pop-ups for this page, and try again.');
  }
}

/**
 * Opens an invoice or a packing slip in a tab of its own, to read or to print. The service sends it to requests with a token only, which
 * a link has not, so that the console loads it and opens it as a file of its own.
 */
export async function openPrintedPage(load: () => Promise<string>): Promise<void> {
  // At once: a tab that is opened later than the click is a pop-up to the browser.
  const tab = window.open('', '_blank');
  if (!tab) throw new TabRefused();
  // The printed page needs no way back into the console.
  tab.opener = null;
  try {
    const html = admitStyle(await load());
    // Not revoked: the tab can be loaded again for as long as the console is open.
    tab.location.replace(URL.createObjectURL(new Blob([html], { type: 'text/html' })));
  } catch (error) {
    tab.close();
    throw error;
  }
}

/**
 * A file has the policy of the page that has made it, which allows style elements with its nonce. The policy of the page itself is stricter
 * and says that nothing else is loaded or run, so it is added: both apply. The first of each element is that of the head, because all
 * texts of the page are escaped.
 */
function admitStyle(html: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${styleNonce}'; base-uri 'none'; form-action 'none'`;
  return html
    .replace('<head>', `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('<style>', `<style nonce="${styleNonce}">`);
}
