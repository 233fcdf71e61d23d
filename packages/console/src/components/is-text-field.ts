/** Whether somebody types into the element. A checkbox or a radio button has the focus after a click, and takes no letters. */
export function isTextField(element: EventTarget | null): boolean {
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLInputElement && !['checkbox', 'radio'].includes(element.type))
  );
}
