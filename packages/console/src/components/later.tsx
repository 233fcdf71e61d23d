import { type ReactNode, useDeferredValue } from 'react';

/**
 * Shows its content right after the rest of the page. It is rendered in small steps, between which the browser reacts to what
 * somebody does, while the page itself is rendered at once.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const isLater = useDeferredValue(true, false);
  return isLater && children;
}
