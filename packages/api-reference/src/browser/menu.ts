/** Closes the list of contents on narrow screens once a link of it is followed. */
export function closeMenuOnNavigation(): void {
  const side = document.querySelector<HTMLElement>('#page-side');
  side?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && side.matches(':popover-open')) side.hidePopover();
  });
}
