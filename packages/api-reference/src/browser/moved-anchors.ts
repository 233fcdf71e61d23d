/** Leads from an anchor of the time when all operations were on one page to the page of today. */
export function followMovedAnchor(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-moved]')];
  const link = links.find(({ dataset }) => dataset.moved === id);
  if (link) location.replace(link.href);
}
