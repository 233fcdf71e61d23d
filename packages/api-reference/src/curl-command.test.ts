import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { describeService } from '../../server/src/openapi/describe-service.ts';
import type { Operation } from '../../server/src/pipeline/router.ts';
import { curlCommand } from './curl-command.ts';
import { groupOperations } from './operation-groups.ts';

function commandOf(parts: Partial<Operation>): string {
  const operation: Operation = {
    method: 'GET',
    path: '/planets',
    access: 'public',
    id: 'listPlanets',
    tag: 'Catalogue',
    summary: 'List planets',
    answer: Type.Null(),
    example: null,
    ...parts,
  };
  const baseUrl = 'https://api.example/api/v1';
  const document = describeService({ operations: [operation], baseUrl, stagingUrl: null });
  const [listed] = groupOperations(document).flatMap(({ operations }) => operations);
  if (!listed) throw new Error('the operation is listed');
  return curlCommand(document, listed);
}

describe('curl command', () => {
  it('needs no headers where everybody may call, and has the prefix once', () => {
    expect(commandOf({})).toBe('curl "https://api.example/api/v1/planets"');
  });

  it('sends the two headers of a signed request', () => {
    expect(commandOf({ access: 'credential' })).toBe(
      'curl "https://api.example/api/v1/planets" \\\n' +
        '  -H "x-auth-apikey: $API_KEY" \\\n' +
        '  -H "x-auth-signature: $SIGNATURE"',
    );
  });

  it('sends the token where only that is accepted', () => {
    expect(commandOf({ access: 'jwt' })).toContain('-H "authorization: Bearer $JWT"');
  });

  it('has variables for path parameters and values for the query that is required', () => {
    const command = commandOf({
      path: '/planets/:planetId',
      parameters: Type.Object({ planetId: Type.String() }),
      query: Type.Object({
        take: Type.Integer({ default: 10 }),
        startDate: Type.String(),
        orderBy: Type.String({ examples: ['name asc'] }),
        search: Type.Optional(Type.String()),
      }),
    });
    expect(command).toBe(
      'curl \\\n  "https://api.example/api/v1/planets/$PLANET_ID?take=10&startDate=$START_DATE&orderBy=name%20asc"',
    );
  });

  it('sends a body of the required fields, and keeps it within its quotes', () => {
    const body = Type.Object({
      name: Type.String({ examples: ["Ada's"] }),
      note: Type.Optional(Type.String()),
    });
    expect(commandOf({ method: 'POST', body })).toBe(
      'curl -X POST \\\n' +
        '  "https://api.example/api/v1/planets" \\\n' +
        '  -H "content-type: application/json" \\\n' +
        `  -d '{"name":"Ada'\\''s"}'`,
    );
  });

  it('shows one field of a body that requires none', () => {
    const body = Type.Object({
      stage: Type.Optional(Type.Enum(['LEADS', 'CLOSED'])),
      note: Type.Optional(Type.String()),
    });
    expect(commandOf({ method: 'PATCH', body })).toContain(`-d '{"stage":"LEADS"}'`);
  });

  it('leaves nothing for the shell to run', () => {
    expect(commandOf({ path: '/$(reboot)/`reboot`/"' })).toBe(
      'curl \\\n  "https://api.example/api/v1/\\$(reboot)/\\`reboot\\`/\\""',
    );
  });
});
