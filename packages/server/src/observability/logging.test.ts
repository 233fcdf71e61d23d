import { describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp } from '../../../../test/support/test-app.ts';
import { createLogger, createRequestLineWriter } from './logging.ts';

const capture = () => {
  const lines: string[] = [];
  return { lines, logger: createLogger('trace', { write: (line) => lines.push(line) }) };
};

describe('the log', () => {
  it('contains no credential, in whichever field', () => {
    const { lines, logger } = capture();
    const headers = {
      authorization: 'Bearer s3cret',
      cookie: 's3cret',
      'x-auth-apikey': 's3cret',
      'x-auth-signature': 's3cret',
    };
    logger.info(
      { headers, req: { headers }, secretKey: 's3cret', holder: { walletPrivateKey: 's3cret' } },
      'call',
    );
    logger.info({ password: 's3cret', nested: { token: 's3cret' } }, 'other');
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain('s3cret');
    expect(lines.join('')).toContain('[redacted]');
  });

  it('contains no e-mail address, not even one that an error quotes', () => {
    const { lines, logger } = capture();
    const error = Object.assign(new Error('duplicate ada.b+c@shop.example here'), {
      detail: 'Key (email)=(ada@shop.example) already exists.',
    });
    logger.error(
      { err: new Error('outer', { cause: error }), email: 'ada@shop.example' },
      'for ada@shop.example',
    );
    expect(lines.join('')).not.toMatch(/shop\.example/);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toMatchObject({ level: 'error', msg: 'for [e-mail]', err: { message: 'outer' } });
    expect(line.err.cause.message).toBe('duplicate [e-mail] here');
  });

  it('keeps the paths of scoped packages in stack traces', () => {
    const { lines, logger } = capture();
    const path = 'file:///srv/node_modules/@redis/client/dist/lib/client/index.js:10:5';
    logger.error({ err: Object.assign(new Error('lost'), { stack: `Error: lost\n    at ${path}` }) });
    expect(JSON.parse(lines[0] ?? '').err.stack).toContain(path);
  });

  it('has request lines in the same form as those of pino, if the level allows them', () => {
    const written = ['info', 'warn'].map((level) => {
      const lines: string[] = [];
      const logger = createLogger(level, { write: (line) => lines.push(line) });
      const line = {
        ...{ reqId: 'trace-1', method: 'GET', route: '/planets/:id', status: 200, durationMs: 0.3 },
        ...{ address: '192.0.2.1', caller: '019a8f3e-7c00-7000-8000-000000000001' },
      };
      createRequestLineWriter(logger)(line);
      logger.child({}, { redact: [] }).info(line, 'request');
      return lines;
    });
    const [byHand, byLogger] = (written[0] ?? []).map((line) => JSON.parse(line));
    expect(Object.keys(byHand)).toEqual(Object.keys(byLogger));
    expect({ ...byHand, time: '' }).toEqual({ ...byLogger, time: '' });
    expect(byHand.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(written[0]?.every((line) => line.endsWith('}\n'))).toBe(true);
    expect(written[1]).toEqual([]);
  });

  it('has one line for each request, with its id and without its query', async () => {
    const service = await startTestApp();
    try {
      const url = `${service.origin}/api/v1/dapp/strains?search=ada%40shop.example`;
      await curl('--header', 'x-request-id: trace-1', '--header', 'x-auth-apikey: k3y', url);
      const lines = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
      expect(lines).toEqual([
        expect.objectContaining({
          level: 'info',
          reqId: 'trace-1',
          method: 'GET',
          route: '/api/v1/dapp/strains',
          status: 200,
          durationMs: expect.any(Number),
          address: '127.0.0.1',
          caller: '',
        }),
      ]);
      expect(service.logLines.join('')).not.toMatch(/ada|k3y/);
    } finally {
      await service.close();
    }
  });
});
