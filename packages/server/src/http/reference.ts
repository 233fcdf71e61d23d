import { renderReferencePage } from '@keyfront/api-reference';
import { operationList } from '@keyfront/protocol';
import type { FastifyInstance } from 'fastify';
import { describeService } from '../openapi/describe-service.ts';
import { versionPrefix } from '../version-prefix.ts';

interface ReferenceParts {
  readonly baseUrl: () => string;
  readonly stagingUrl: string | null;
}

/** The description of the service for machines and for people. */
export function addReferenceRoutes(app: FastifyInstance, parts: ReferenceParts): void {
  // Made at the first request, when the address that is listened on is known.
  let made: { json: string; page: string } | undefined;
  const reference = () => {
    if (made) return made;
    const document = describeService({
      operations: operationList,
      baseUrl: parts.baseUrl(),
      stagingUrl: parts.stagingUrl,
    });
    made = { json: JSON.stringify(document), page: renderReferencePage(document) };
    return made;
  };

  app.get(`${versionPrefix}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(reference().json),
  );

  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      )
      .send(reference().page),
  );
}
