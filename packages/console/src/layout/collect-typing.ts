/** What somebody types before the field that it is meant for is there. */
export interface TypedAhead {
  readonly text: string;
  /** Calls the field with the text, and again with each further letter, until the field has the focus. Returns what ends it. */
  follow(onText: (text: string) => void): () => void;
  end(): void;
}

/** Collects letters. Nothing else on the page gets them: elsewhere, one of them may be a command. */
export function collectTyping(): TypedAhead {
  let text = '';
  let notify: (text: string) => void = () => undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return end();
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    text += event.key;
    notify(text);
  };
  const end = () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return {
    get text() {
      return text;
    },
    follow: (onText) => {
      notify = onText;
      return end;
    },
    end,
  };
}
