import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

interface TypedText {
  readonly text: string;
  /** A text that is not complete, such as half of a date, stays in the field and changes nothing. */
  readonly type: (text: string, isComplete?: boolean) => void;
  /** Does not wait for the moment after the last key. */
  readonly applyNow: () => void;
}

/** The text of a field that changes the URL a moment after the last key. Pasted texts often end with a blank, which finds nothing. */
export function useTypedText(value: string, onChange: (value: string) => void): TypedText {
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(onChange, 250);
  // The URL may change without this field, by a link or by going back. A blank at the end may be followed by another word.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  const type = (typed: string, isComplete = true) => {
    setText(typed);
    if (isComplete) changeSoon(typed.trim());
    else changeSoon.cancel();
  };
  return { text, type, applyNow: () => changeSoon.flush() };
}
