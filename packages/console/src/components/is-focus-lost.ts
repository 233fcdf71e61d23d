/** Whether nothing that somebody uses has the focus, but the page or a heading in the place of what is gone. */
export const isFocusLost = (): boolean => document.activeElement?.matches('body, #content, h1, h2') ?? true;
