import { AuditListQuery, AuditPage } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { getAuditPage } from './audit-rules.ts';

export function addAuditRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'GET',
      path: '/admin/audit',
      access: 'administrator',
      id: 'listAudit',
      tag: 'Administration',
      summary: 'List what administrators did',
      description: 'The newest first. Of a change only the fields that differ are kept.',
      query: AuditListQuery,
      answer: AuditPage,
      example: {
        entries: [
          {
            id: '019a8f3e-7c00-7000-8000-000000000901',
            administrator: '0x52908400098527886E0F7030069857D2E4169EE7',
            subject: 'STRAIN',
            subjectId: '019a8f3e-7c00-7000-8000-000000000301',
            action: 'CHANGE',
            before: { retailPrice: '12.50' },
            after: { retailPrice: '11.90' },
            createdAt: '2026-11-15T09:30:00.000Z',
          },
        ],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, query }) => getAuditPage(database, requireAdministrator(scope), query),
  );
}
