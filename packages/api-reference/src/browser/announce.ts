/** Has screen readers say something that is only shown otherwise. */
export function announce(text: string): void {
  const status = document.querySelector('#page-status');
  if (status) status.textContent = text;
}
