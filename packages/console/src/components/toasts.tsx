import { Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { ErrorText } from './error-text.tsx';
import { Icon } from './icon.tsx';
import classes from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly title: string;
  /** A failure stays until it is closed. */
  readonly error?: Error;
}

const shownMs = 4_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Tells that something is done. */
export function showSuccess(title: string): void {
  const id = add({ title });
  setTimeout(() => remove(id), shownMs);
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
  return (
    <section className={classes.region} aria-live="polite" aria-label="Notifications">
      {shown.map(({ id, title, error }) => (
        <Notification
          key={id}
          title={title}
          color={error ? 'red.8' : 'teal.8'}
          icon={<Icon name={error ? 'alert' : 'check'} />}
          withBorder
          closeButtonProps={{ 'aria-label': 'Dismiss' }}
          onClose={() => remove(id)}
        >
          {error && <ErrorText error={error} />}
        </Notification>
      ))}
    </section>
  );
}

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  // The newest few: a page that fails over and over must not fill the screen.
  replace([...toasts, { ...toast, id: lastId }].slice(-3));
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
