import { type Provider, uuidForm } from '@keyfront/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import { demoProviderPaths, type ProviderSettings } from '../../providers.ts';
import type { RateLimits } from '../../rate-limit/rate-limits.ts';
import { targetOf } from '../../request-target.ts';
import { isLocalRequest } from '../local-request.ts';
import { type DemoChoice, type DemoPage, renderDemoPage } from './demo-page.ts';
import { findDemoCheck, findDemoPayment } from './demo-provider-queries.ts';
import { isFormToken, isOwnForm, makeFormToken } from './demo-request.ts';
import { demoStyle } from './demo-style.ts';
import { describeCheck, describePayment, kycChoices, paymentChoices } from './describe-demo-pages.ts';
import { sendReport } from './send-report.ts';

export interface DemoPageParts {
  readonly database: Database;
  readonly limits: RateLimits;
  readonly providers: Readonly<Record<Provider, ProviderSettings | null>>;
}

/** The pages load their own style sheet, send their own form, and do nothing else. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // A form of a page without referrers would hide its origin.
  'referrer-policy': 'same-origin',
};

const formLimitBytes = 4_096;

/** One of the pages: what it shows, and what it reports. */
interface DemoProvider {
  readonly path: string;
  readonly callbackPath: string;
  readonly choices: readonly DemoChoice[];
  /** Null if no customer has this reference. */
  find(reference: string): Promise<FoundSubject | null>;
}

interface FoundSubject {
  readonly page: Pick<DemoPage, 'title' | 'summary' | 'facts' | 'result' | 'returnUrl'>;
  readonly isOpen: boolean;
  /** The fields that a report has beyond reference and status. */
  readonly report: object;
}

/** Adds the pages of the providers that no outside provider replaces. */
export async function addDemoPages(app: FastifyInstance, parts: DemoPageParts): Promise<void> {
  const { database, limits, providers } = parts;
  const pages: Readonly<Record<Provider, DemoProvider>> = {
    KYC: {
      path: demoProviderPaths.KYC,
      callbackPath: '/callbacks/kyc',
      choices: kycChoices,
      find: async (reference) => {
        const check = await findDemoCheck(database, reference);
        if (!check) return null;
        const { isOpen, ...page } = describeCheck(check);
        return { page, isOpen, report: {} };
      },
    },
    PAYMENT: {
      path: demoProviderPaths.PAYMENT,
      callbackPath: '/callbacks/payments',
      choices: paymentChoices,
      find: async (reference) => {
        const payment = await findDemoPayment(database, reference);
        if (!payment) return null;
        const { isOpen, ...page } = describePayment(payment);
        return { page, isOpen, report: { amount: payment.amount, currency: payment.currency } };
      },
    },
  };
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isLocalRequest(request)) throw routeNotFound(request);
      reply.headers(await limits.take('address', request.ip));
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimitBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get('/demo/provider.css', (_request, reply) =>
      reply
        .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' })
        .send(demoStyle),
    );
    for (const [name, page] of Object.entries(pages)) {
      const secret = findDemoSecret(providers[name as Provider], page.path);
      if (secret) addDemoPage(scope, page, secret);
    }
  });
}

/** The secret of a provider whose links lead to its page here. */
function findDemoSecret(provider: ProviderSettings | null, path: string): Uint8Array | undefined {
  return provider?.url.startsWith(`${path}?`) ? provider.secrets[0] : undefined;
}

function addDemoPage(app: FastifyInstance, provider: DemoProvider, secret: Uint8Array): void {
  const { path, callbackPath, choices } = provider;

  app.get(path, async (request, reply) => {
    const reference = new URLSearchParams(targetOf(request).query ?? '').get('reference') ?? '';
    return showPage(reply, await findSubject(provider, reference), reference);
  });

  app.post(path, async (request, reply) => {
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const reference = fields.get('reference') ?? '';
    const choice = choices.find(({ status }) => status === fields.get('status'));
    const isTrusted = isOwnForm(request) && isFormToken(secret, reference, fields.get('token') ?? '');
    if (!isTrusted || !choice) return sendPage(reply, 403, foreignForm);
    const subject = await findSubject(provider, reference);
    if (!subject) return showPage(reply, null, reference);
    const report = { reference, status: choice.status, ...subject.report };
    const refusal = await sendReport(request.raw.socket, callbackPath, secret, report);
    // The page shows what became of it, also when it is loaded again.
    if (refusal === null) return reply.redirect(`${path}?reference=${reference}`, 303);
    return sendPage(reply, 409, {
      ...subject.page,
      form: null,
      result: { text: `The service has refused the report: ${refusal}`, tone: 'bad' },
    });
  });

  function showPage(reply: FastifyReply, subject: FoundSubject | null, reference: string): FastifyReply {
    if (!subject) return sendPage(reply, 404, unknownLink);
    const token = makeFormToken(secret, reference);
    const form = subject.isOpen ? { action: path, reference, token, choices } : null;
    return sendPage(reply, 200, { ...subject.page, form });
  }
}

async function findSubject(provider: DemoProvider, reference: string): Promise<FoundSubject | null> {
  return uuidForm.test(reference) ? provider.find(reference) : null;
}

function sendPage(reply: FastifyReply, status: number, page: DemoPage): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(renderDemoPage(page));
}

const unknownLink: DemoPage = {
  title: 'This link is not valid',
  summary: 'It may have been replaced by a newer one. Ask the shop for a new link.',
  facts: {},
  form: null,
};

const foreignForm: DemoPage = {
  title: 'This form is not valid',
  summary: 'Open the link of the shop again, and choose on its page.',
  facts: {},
  form: null,
};

/** As if the page did not exist. */
function routeNotFound(request: FastifyRequest): ApiError {
  return new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${targetOf(request).path}` });
}
