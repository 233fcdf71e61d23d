import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** The text of a field that changes the URL a moment after the last key. Pasted texts often end with a blank, which finds nothing. */
export function useTypedText(
  value: string,
  onChange: (value: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(onChange, 250);
  // The URL may change without this field, by a link or by going back. A blank at the end may be followed by another word.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  const type = (typed: string) => {
    setText(typed);
    changeSoon(typed.trim());
  };
  return [text, type];
}
