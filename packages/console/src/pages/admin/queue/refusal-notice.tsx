import { Alert } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import { countOf } from '../../../format/count-of.ts';
import classes from './refusal-notice.module.css';

export interface RefusedRow {
  readonly key: string;
  readonly label: string;
  readonly reason: string;
}

interface RefusalNoticeProps {
  readonly noun: string;
  readonly refused: readonly RefusedRow[];
  readonly onClose: () => void;
}

/** What was not decided, and why. */
export function RefusalNotice({ noun, refused, onClose }: RefusalNoticeProps) {
  return (
    <Alert
      variant="default"
      color="red.8"
      mb="md"
      title={`${countOf(refused.length, noun)} not decided`}
      icon={<Icon name="alert" />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      {/* Many may be refused, and whoever has no pointer has to reach the last of them. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the focus to be scrolled by keys. */}
      <ul className={classes.list} aria-label="Refused" tabIndex={0}>
        {refused.map(({ key, label, reason }) => (
          <li key={key}>
            <strong>
              <bdi>{label}</bdi>
            </strong>
            : {reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
