import type { AuditEntry } from '@keyfront/sdk';
import { Moment } from '../../../components/moment.tsx';
import { shortAddress } from '../../../format/short-address.ts';
import { auditSubjects } from './audit-filters.ts';
import classes from './audit-row.module.css';
import { describeField, describeValue } from './describe-value.ts';

/** One change: who, what, when, and the fields that differ. */
export function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const wallet = entry.administrator ?? entry.holder;
  const author = wallet ? shortAddress(wallet) : `Provider ${entry.provider}`;
  return (
    <details className={classes.entry}>
      <summary>
        <strong>
          {entry.action === 'READ'
            ? 'Medical record read'
            : `${auditSubjects[entry.subject]} ${entry.action === 'CREATE' ? 'created' : 'changed'}`}
        </strong>
        <span className={classes.fields}>{Object.keys(entry.after).map(describeField).join(', ')}</span>
        <span className={classes.author}>{author}</span>
        <Moment time={entry.createdAt} />
      </summary>
      <div className={classes.body}>
        <p className={classes.id}>{entry.subjectId}</p>
        <table className={classes.changes}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
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
    </details>
  );
}
