import { Anchor, Code, Text } from '@mantine/core';
import { CopyTextButton } from '../../components/copy-button.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { texts } from '../../texts/explorer.ts';
import classes from './operation-explorer.module.css';
import type { ExplorerResponse } from './send-request.ts';

/** A response as it came. */
export function ResponsePanel({ response }: { readonly response: ExplorerResponse }) {
  const { status, durationMs, headers, text, reason } = response;
  const shown = format(text);
  const errorCode = readErrorCode(text);
  return (
    <Panel
      title={texts.response}
      aside={
        <span>
          <StatusBadge state={status < 300 ? 'DELIVERED' : 'FAILED'} label={String(status)} />{' '}
          <Text span size="xs" c="dimmed" className="tabular">
            {texts.durationMsMs(Math.round(durationMs))}
          </Text>
        </span>
      }
    >
      <div className={classes.code}>
        {reason && (
          <Text size="sm" className={classes.hash}>
            <strong>{texts.why}</strong> {reason}
          </Text>
        )}
        {errorCode && (
          <Anchor size="sm" href={`/docs/guides/errors#${errorCode}`}>
            {texts.whatErrorCodeMeansAndWhatTo(errorCode)}
          </Anchor>
        )}
        <Code block tabIndex={0} className={classes.block}>
          {shown}
        </Code>
        <CopyTextButton value={shown} label={texts.copy} />
        <details>
          <summary>{texts.headers}</summary>
          <Code block tabIndex={0} className={classes.block}>
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
        </details>
      </div>
    </Panel>
  );
}

/** The code of an error, which the guide to errors explains. Null if the response has none. */
function readErrorCode(text: string): string | null {
  try {
    const { success, code } = JSON.parse(text);
    return success === false && typeof code === 'string' ? code : null;
  } catch {
    return null;
  }
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
