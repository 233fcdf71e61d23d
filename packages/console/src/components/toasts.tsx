import { useHotkeys } from '@mantine/hooks';
import { useRef, useSyncExternalStore } from 'react';
import { texts } from '../texts/components.ts';
import { ErrorText } from './error-text.tsx';
import { Icon } from './icon.tsx';
import { isOverlayOpen } from './is-overlay-open.ts';
import { isTextField } from './is-text-field.ts';
import { SmallButton } from './small-button.tsx';
import classes from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly title: string;
  /** A failure stays until it is closed. */
  readonly error?: Error;
  /** Takes back what the toast tells of. */
  readonly undo?: () => void;
  /** What it tells of, if a later change of the same makes its `undo` outdated. */
  readonly about?: string | undefined;
}

const shownMs = 4_000;
/** Long enough to notice a mistake and to reach the button by keys. */
const undoMs = 10_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** Where the toasts are, while they are on a page. */
let region: HTMLElement | null = null;

/** Tells that something is done. An earlier change of what it is about is not offered to be taken back any more. */
export function showSuccess(title: string, about?: string): void {
  removeLater(add({ title, about }), shownMs);
}

/** Tells that something is done, and offers to take it back. */
export function showUndo(title: string, undo: () => void, about?: string): void {
  removeLater(add({ title, undo, about }), undoMs);
}

/** Tells what has failed, in the words of the service. */
export function showFailure(title: string, error: Error): void {
  add({ title, error });
}

/** Removes all toasts. They name what belongs to the session in which they were shown. */
export function clearToasts(): void {
  replace([]);
}

/** Where toasts appear. Assistive technology reads them when they do. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const takeBack = ({ id, undo }: Toast) => {
    remove(id);
    undo?.();
  };
  const lastUndo = shown.findLast(({ undo }) => undo);
  useHotkeys(
    [
      [
        'mod+Z',
        (event) => {
          // What somebody types is for the browser to take back.
          if (!lastUndo || isOverlayOpen() || isTextField(event.target)) return;
          event.preventDefault();
          takeBack(lastUndo);
        },
        { preventDefault: false },
      ],
    ],
    [],
  );
  const keep = useRef((element: HTMLElement | null) => {
    region = element;
  });
  return (
    <section
      ref={keep.current}
      className={classes.region}
      aria-live="polite"
      aria-label={texts.notifications}
    >
      {shown.map((toast) => (
        <div key={toast.id} role="alert" className={classes.toast} data-failed={toast.error !== undefined}>
          <span className={classes.icon}>
            <Icon name={toast.error ? 'alert' : 'check'} />
          </span>
          <div className={classes.words}>
            <div className={classes.title}>{toast.title}</div>
            {toast.error && <ErrorText error={toast.error} />}
            {toast.undo && (
              <SmallButton onClick={() => takeBack(toast)}>
                {texts.undo}
                <kbd className={classes.key}>Ctrl Z</kbd>
              </SmallButton>
            )}
          </div>
          <button
            type="button"
            className={`plain-button ${classes.close}`}
            aria-label={texts.dismiss}
            onClick={() => remove(toast.id)}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
    </section>
  );
}

/** Removes a toast after a while, but not while somebody points at it or is about to use it. */
function removeLater(id: number, afterMs: number): void {
  setTimeout(() => {
    if (region?.matches(':hover, :focus-within')) removeLater(id, shownMs);
    else remove(id);
  }, afterMs);
}

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  // The newest few: a page that fails over and over must not fill the screen.
  const others = toasts.filter(({ about }) => about === undefined || about !== toast.about);
  replace([...others, { ...toast, id: lastId }].slice(-3));
  return lastId;
}

function remove(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
