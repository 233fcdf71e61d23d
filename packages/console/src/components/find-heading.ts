/**
 * The heading of the part of the page that an element is in: that of its panel, or the title of the page. It takes the focus if the
 * element goes.
 */
export function findHeading(element: Element): HTMLElement | null {
  // A menu gives the focus back to its button.
  if (element.closest('#menus')) return null;
  for (let part = element.parentElement; part?.closest('#content'); part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>('h1, h2');
    if (heading) return allowFocus(heading);
  }
  return isOnPage(element) ? findTitle() : null;
}

/** Whether it is on the page itself. Dialogs and menus give the focus back to what has opened them. */
export function isOnPage(element: Element): boolean {
  return element.closest('#content > :not(#menus)') !== null;
}

/** The title of the page, which is there whatever goes. */
export function findTitle(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>('#content h1');
  return title && allowFocus(title);
}

function allowFocus(heading: HTMLElement): HTMLElement {
  heading.tabIndex = -1;
  return heading;
}
