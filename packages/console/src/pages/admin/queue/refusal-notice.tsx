import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../../components/icon.tsx';
import { countOf } from '../../../format/count-of.ts';
import { texts } from '../../../texts/admin-queue.ts';
import classes from './refusal-notice.module.css';

export interface RefusedRow {
  readonly key: string;
  readonly label: string;
  /** The page of what was refused. */
  readonly path: string;
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
      title={texts.lengthNotDecided(countOf(refused.length, noun))}
      icon={<Icon name="alert" />}
      withCloseButton
      closeButtonLabel={texts.dismiss}
      onClose={onClose}
    >
      <ul className={classes.list} aria-label={texts.refused}>
        {refused.map(({ key, label, path, reason }) => (
          <li key={key}>
            <Anchor component={Link} to={path} size="sm" fw={600}>
              <bdi>{label}</bdi>
            </Anchor>
            : {reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
