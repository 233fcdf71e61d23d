import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Loads the data of the page again whenever something has happened to the customer's orders or account. */
export function LiveUpdates() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const updates = new EventSource('/updates');
    // Also when it has connected: something may have happened between the page and the connection, or while it was lost.
    updates.addEventListener('open', () => void revalidate());
    updates.addEventListener('message', () => void revalidate());
    return () => updates.close();
  }, [revalidate]);
  return null;
}
