const storageKey = 'reference-tabs';

/** Makes tabs work, by mouse and by keyboard. A choice counts for every tab group that offers it, and is remembered. */
export function enableTabs(): void {
  for (const [kind, title] of Object.entries(readChoices())) selectEverywhere(kind, title);
  document.addEventListener('click', ({ target }) => {
    const tab = target instanceof Element ? target.closest<HTMLElement>('[role="tab"]') : null;
    if (tab) choose(tab);
  });
  document.addEventListener('keydown', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="tab"]') : null;
    const next = tab && neighbour(tab, event.key);
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });
}

function neighbour(tab: HTMLElement, key: string): HTMLElement | undefined {
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
  const at = tabs.indexOf(tab);
  if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length];
  if (key === 'ArrowLeft') return tabs.at(at - 1);
  if (key === 'Home') return tabs[0];
  return key === 'End' ? tabs.at(-1) : undefined;
}

function choose(tab: HTMLElement): void {
  const kind = tab.closest<HTMLElement>('[data-tabs]')?.dataset.tabs ?? '';
  const title = tab.textContent ?? '';
  // Other panels above may change their height: what the reader looks at stays where it is.
  const before = tab.getBoundingClientRect().top;
  selectEverywhere(kind, title);
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  writeChoices({ ...readChoices(), [kind]: title });
}

function selectEverywhere(kind: string, title: string): void {
  for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
    if (group.dataset.tabs !== kind) continue;
    const tabs = [...group.querySelectorAll<HTMLElement>('[role="tab"]')];
    if (!tabs.some((tab) => tab.textContent === title)) continue;
    for (const tab of tabs) {
      const isSelected = tab.textContent === title;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !isSelected;
    }
  }
}

function readChoices(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}');
  } catch {
    // Storage may be blocked, and its content may be anything.
    return {};
  }
}

function writeChoices(choices: Record<string, string>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(choices));
  } catch {
    // Then the choice counts for this page only.
  }
}
