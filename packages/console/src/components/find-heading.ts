/**
 * The heading of the part of the page that an element is in: that of its panel, or the title for what stands beside it. It takes the
 * focus if the element goes.
 */
export function findHeading(element: Element): HTMLElement | null {
  for (let part = element.parentElement; part?.closest('#content > *'); part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>('h1, h2');
    if (heading) {
      heading.tabIndex = -1;
      return heading;
    }
  }
  return null;
}
