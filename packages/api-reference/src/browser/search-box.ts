import { announce } from './announce.ts';
import { rankEntries, splitWords } from './rank-entries.ts';
import type { SearchEntry } from './search-index.ts';

const mostResults = 12;

/** Makes the search box work: `/` focuses it, the arrows choose, Enter opens, Escape closes. */
export function enableSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#page-search');
  const list = document.querySelector<HTMLElement>('#page-results');
  if (!input || !list) return;

  let chosen = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role="option"]')];

  const choose = (index: number) => {
    const all = options();
    chosen = all.length === 0 ? -1 : (index + all.length) % all.length;
    for (const [at, option] of all.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const option = all[chosen];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  };

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    choose(-1);
  };

  // The index is most of what the search needs, so it is loaded when somebody is about to search.
  let entries: readonly SearchEntry[] = [];
  const load = async () => {
    if (entries.length === 0) ({ entries } = await import('./search-index.ts'));
  };

  const update = async () => {
    await load();
    const words = splitWords(input.value);
    if (words.length === 0) {
      list.replaceChildren();
      close();
      return;
    }
    const found = rankEntries(entries, input.value, mostResults);
    list.replaceChildren(
      ...(found.length > 0
        ? found.map((entry, index) => renderResult(entry, index, words))
        : [renderNothing(input.value)]),
    );
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(found.length > 0 ? 0 : -1);
    announce(found.length === 1 ? '1 result' : `${found.length} results`);
  };

  input.addEventListener('input', update);
  input.addEventListener('focus', update);
  input.addEventListener('pointerenter', load);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      options()[chosen]?.click();
    } else if (event.key === 'Escape') {
      if (list.hidden) input.blur();
      else input.value = '';
      void update();
    }
  });
  list.addEventListener('click', () => {
    close();
    input.blur();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !input.parentElement?.contains(target)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (!isShortcut || isTyping(event.target) || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function renderResult(entry: SearchEntry, index: number, words: readonly string[]): HTMLElement {
  const link = document.createElement('a');
  link.id = `page-result-${index}`;
  link.setAttribute('role', 'option');
  link.tabIndex = -1;
  link.href = `${document.documentElement.dataset.root ?? ''}${entry.href}`;
  const detail = withMarks('span', entry.detail, words);
  const [, method] = /^(GET|POST|PUT|PATCH|DELETE) /.exec(entry.detail) ?? [];
  if (method) {
    const badge = document.createElement('b');
    badge.className = `method ${method.toLowerCase()}`;
    badge.textContent = method;
    detail.replaceChildren(badge, ' ', withMarks('code', entry.detail.slice(method.length + 1), words));
  }
  link.append(withMarks('strong', entry.title, words), detail);
  return link;
}

function renderNothing(query: string): HTMLElement {
  const line = document.createElement('p');
  line.textContent = `Nothing found for “${query.trim()}”`;
  return line;
}

/** An element with the words marked where they occur. */
function withMarks(tag: string, text: string, words: readonly string[]): HTMLElement {
  const element = document.createElement(tag);
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'i');
  for (const [index, piece] of text.split(pattern).entries()) {
    if (index % 2 === 0) element.append(piece);
    else {
      const mark = document.createElement('mark');
      mark.textContent = piece;
      element.append(mark);
    }
  }
  return element;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
