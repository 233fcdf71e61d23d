/** Where the browser remembers the digital keys whose list of first steps is done or dismissed. */
const storageKey = 'keyfront.onboarding-closed';

export function isOnboardingClosed(tokenId: number): boolean {
  return readClosed().includes(tokenId);
}

/** Whether the list of any digital key is closed. */
export function hasClosedOnboarding(): boolean {
  return readClosed().length > 0;
}

export function closeOnboarding(tokenId: number): void {
  if (!isOnboardingClosed(tokenId)) {
    localStorage.setItem(storageKey, JSON.stringify([...readClosed(), tokenId]));
  }
}

function readClosed(): unknown[] {
  try {
    const closed: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(closed) ? closed : [];
  } catch {
    return [];
  }
}
