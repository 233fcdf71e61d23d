import { type ExplorerOperation, takesFile } from './read-openapi.ts';

/** Why a page cannot send an operation, in a sentence. Null if it can. */
export function findObstacle(operation: ExplorerOperation): string | null {
  if (operation.access === 'provider') {
    return 'This page cannot send it: only a provider has the secret that signs its reports.';
  }
  if (takesFile(operation)) {
    return 'This page cannot send it: the body is a file. The pages of the catalogue and of planets upload images.';
  }
  return null;
}
