import { createContext, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { type DraftFields, readDraft, writeDraft } from '../session/drafts.ts';
import { fillFields, readFields } from './form-fields.ts';

interface Draft {
  readonly form: RefObject<HTMLFormElement | null>;
  /** Whether fields were filled in again. */
  readonly isRestored: boolean;
  /** Takes note of what is in the form. */
  readonly save: () => void;
  readonly fields: DraftContextValue;
}

interface DraftContextValue {
  readonly restored: DraftFields;
  readonly initial: Record<string, string | boolean>;
  readonly save: () => void;
}

/** For fields that are more than an element with a name; see `useDraftList`. */
export const DraftContext = createContext<DraftContextValue | null>(null);

/**
 * Keeps the changed fields of a form under a name, and fills them in when the form is opened again. Without a name it only tells
 * whether the form was changed.
 */
export function useDraft(name: string | null, onChanged: ((isChanged: boolean) => void) | undefined): Draft {
  const form = useRef<HTMLFormElement>(null);
  const [restored] = useState<DraftFields>(() => (name === null ? null : readDraft(name)) ?? {});
  const [initial] = useState<Record<string, string | boolean>>({});
  const missing = useRef(restored);
  const isReady = useRef(false);
  const save = () => {
    if (!form.current || !isReady.current) return;
    const fields = Object.entries(readFields(form.current));
    const touched = Object.fromEntries(fields.filter(([field, value]) => value !== initial[field]));
    // What somebody chooses while the choices are still loaded is not taken back.
    missing.current = Object.fromEntries(
      Object.entries(missing.current).filter(([field]) => !(field in touched)),
    );
    const changed = { ...missing.current, ...touched };
    onChanged?.(Object.keys(changed).length > 0);
    if (name !== null) writeDraft(name, changed);
  };
  // After each time it is drawn: the choices of a field may be loaded after the form is shown.
  useEffect(() => {
    if (!form.current) return;
    Object.assign(initial, { ...readFields(form.current), ...initial });
    missing.current = fillFields(form.current, missing.current);
    if (isReady.current) return;
    isReady.current = true;
    save();
  });
  return {
    form,
    isRestored: Object.keys(restored).length > 0,
    save,
    fields: { restored, initial, save },
  };
}

/** The entries of a field that is a list, such as tags. The form has them joined by commas, in an element with the name. */
export function useDraftList(
  name: string,
  initialEntries: readonly string[],
): [string[], (entries: string[]) => void] {
  const draft = useContext(DraftContext);
  const [entries, setEntries] = useState(() => {
    const kept = draft?.restored[name];
    return typeof kept === 'string' ? kept.split(',').filter(Boolean) : [...initialEntries];
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is read when the entries have changed.
  useEffect(() => {
    if (!draft) return;
    draft.initial[name] = initialEntries.join(',');
    draft.save();
  }, [entries]);
  return [entries, setEntries];
}
