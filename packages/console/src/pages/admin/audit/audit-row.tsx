import type { AuditEntry } from '@keyfront/sdk';
import { Anchor, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../../components/moment.tsx';
import { shortAddress } from '../../../format/short-address.ts';
import { texts } from '../../../texts/admin-audit.ts';
import { auditSubjects } from './audit-filters.ts';
import classes from './audit-row.module.css';
import { describeField, describeValue } from './describe-value.ts';

/** Where the pages of things are. The others have none. */
const pages: Readonly<Partial<Record<AuditEntry['subject'], string>>> = {
  ORDER: '/admin/orders',
  CLIENT: '/admin/clients',
};

interface AuditRowProps {
  readonly entry: AuditEntry;
  /** Whether it says what it is about, which a page about one thing says already. */
  readonly isNamed?: boolean;
}

/** One change: who, what, when, and the fields that differ. */
export function AuditRow({ entry, isNamed = true }: AuditRowProps) {
  const [isOpen, open] = useDisclosure();
  const wallet = entry.administrator ?? entry.holder;
  const author = wallet ? shortAddress(wallet) : texts.provider(entry.provider ?? '');
  return (
    <div className={classes.entry} data-named={isNamed || undefined}>
      <div className={classes.line}>
        <UnstyledButton className={classes.what ?? ''} aria-expanded={isOpen} onClick={open.toggle}>
          {entry.action === 'READ'
            ? texts.medicalRecordRead
            : `${auditSubjects[entry.subject]} ${entry.action === 'CREATE' ? 'created' : 'changed'}`}
        </UnstyledButton>
        {isNamed && <Name {...entry} />}
        <span className={classes.fields}>{Object.keys(entry.after).map(describeField).join(', ')}</span>
        <span className={classes.author}>{author}</span>
        <Moment time={entry.createdAt} />
      </div>
      {isOpen && <Changes entry={entry} />}
    </div>
  );
}

function Changes({ entry }: { readonly entry: AuditEntry }) {
  return (
    <div className={classes.body}>
      <p className={classes.id}>{entry.subjectId}</p>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(entry.after).map(([field, value]) => (
            <tr key={field}>
              <th scope="row">{describeField(field)}</th>
              <td>
                <bdi>{describeValue(field, entry.before?.[field])}</bdi>
              </td>
              <td>
                <bdi>{describeValue(field, value)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the entry is about, with a link where it has a page. */
function Name({ subject, subjectId, subjectName }: AuditEntry) {
  const page = pages[subject];
  return (
    <span className={classes.name}>
      {page && subjectName ? (
        <Anchor component={Link} to={`${page}/${subjectId}`} size="sm" className={classes.link ?? ''}>
          <bdi>{subjectName}</bdi>
        </Anchor>
      ) : (
        <bdi>{subjectName}</bdi>
      )}
    </span>
  );
}
