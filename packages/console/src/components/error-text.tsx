import { KeyfrontError } from '@keyfront/sdk';
import { explainError } from '../format/explain-error.ts';
import { texts } from '../texts/components.ts';
import { CopyTextButton } from './copy-button.tsx';
import classes from './error-text.module.css';

/** What has failed, with the id that finds the request in the log of the service. */
export function ErrorText({ error }: { readonly error: Error }) {
  const sentences = explainError(error);
  const requestId = error instanceof KeyfrontError ? error.requestId : null;
  return (
    <div className={classes.text}>
      {sentences.length > 1 ? (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <p>{sentences}</p>
      )}
      {requestId && (
        <div className={classes.request}>
          <span>
            {texts.request}
            <code>{requestId}</code>
          </span>
          <CopyTextButton value={describe(error)} label={texts.copy} />
        </div>
      )}
    </div>
  );
}

/** Everything that a support request needs. */
function describe(error: Error): string {
  if (!(error instanceof KeyfrontError)) return error.message;
  return [`${error.status ?? ''} ${error.code ?? error.name}`.trim(), error.message, error.requestId]
    .filter(Boolean)
    .join('\n');
}
