import { defineOperations } from '../operation.ts';
import { AuditListQuery, AuditPage } from '../schemas/audit.ts';
import { createdAt, ids, onlyPage, wallets } from './examples.ts';

export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/admin/audit',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.audit.list',
    summary: 'List changes by administrators and providers',
    description: 'Lists the audit log, newest first. A change shows only the fields that differ.',
    status: 200,
    retry: 'safe',
    query: AuditListQuery,
    response: AuditPage,
    example: {
      query: { subject: 'STRAIN' },
      response: {
        entries: [
          {
            id: ids.auditEntry,
            administrator: wallets.administrator,
            provider: null,
            holder: null,
            subject: 'STRAIN',
            subjectId: ids.strain,
            subjectName: 'Amber Ferryman',
            action: 'CHANGE',
            before: { retailPrice: 12.5 },
            after: { retailPrice: 11.9 },
            createdAt,
          },
        ],
        pageMetaDto: onlyPage,
      },
    },
  },
});
