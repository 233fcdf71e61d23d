/** Whether a menu, a dialog, a drawer or the command palette is open. Keys then belong to it, not to the page below. */
export function isOverlayOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
