import { texts } from '../../texts/explorer.ts';
import { type ExplorerOperation, takesFile } from './read-openapi.ts';

/** Why a page cannot send an operation, in a sentence. Null if it can. */
export function findObstacle(operation: ExplorerOperation): string | null {
  if (operation.access === 'provider') {
    return texts.thisPageCannotSendItOnly;
  }
  if (takesFile(operation)) {
    return texts.thisPageCannotSendItBody;
  }
  return null;
}
