/** Marks the link to the section that is being read in the table of contents, and shows the link to the page in the list at the side. */
export function followReading(): void {
  const page = document.querySelector<HTMLElement>('.side [aria-current="page"]');
  if (page) keepInView(page);
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (section) links.set(section, link);
  }
  const sections = [...links.keys()];
  let current: HTMLAnchorElement | undefined;
  const update = () => {
    const reading = findReading(sections);
    const link = reading && links.get(reading);
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    keepInView(link);
    current = link;
  };
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      update();
    });
  };
  addEventListener('scroll', schedule, { passive: true });
  addEventListener('resize', schedule, { passive: true });
  update();
}

/** The last section that begins in the upper quarter of the window or above; at the end of the page, the last one. */
function findReading(sections: readonly Element[]): Element | undefined {
  const { scrollHeight } = document.documentElement;
  if (scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2) return sections.at(-1);
  return (
    sections.findLast((section) => section.getBoundingClientRect().top <= innerHeight / 4) ?? sections[0]
  );
}

/** Scrolls the list and nothing else; `scrollIntoView` would scroll the page too. */
function keepInView(link: HTMLElement): void {
  const list = link.closest('.side, .toc');
  if (!list) return;
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top + 40) list.scrollTop -= outer.top + outer.height / 3 - inner.top;
  else if (inner.bottom > outer.bottom - 40) list.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
}
