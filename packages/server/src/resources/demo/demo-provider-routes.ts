import {
  type DemoChoice,
  type DemoPage,
  demoStyle,
  describeCheck,
  describePayment,
  kycChoices,
  paymentChoices,
  renderDemoPage,
} from '@keyfront/demo';
import { type Provider, uuidForm } from '@keyfront/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { equalSecrets } from '../../lib/equal-secrets.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import type { RateLimits } from '../../limits/rates/rate-limits.ts';
import type { ProviderSettings } from '../providers/provider-settings.ts';
import { demoProviderPaths } from './demo-provider.ts';
import { findDemoCheck, findDemoPayment } from './demo-provider-queries.ts';
import { sendReport } from './send-report.ts';

export interface DemoProviderDependencies {
  readonly database: Database;
  readonly limits: RateLimits;
  readonly providers: Readonly<Record<Provider, ProviderSettings | null>>;
  /** Marks the pages. */
  readonly isSandbox: boolean;
}

/** The pages load their own style sheet, send their own form, and do nothing else. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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

interface OpenedLink {
  readonly reference: string;
  readonly subject: FoundSubject;
}

/** Adds the pages of the providers that no outside provider replaces. */
export async function addDemoProviderRoutes(
  app: FastifyInstance,
  dependencies: DemoProviderDependencies,
): Promise<void> {
  const { database, limits, providers, isSandbox } = dependencies;
  const sendPage = pageSender(isSandbox);
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
    for (const [name, page] of Object.entries(pages))
      addDemoPage(scope, page, providers[name as Provider], sendPage);
  });
}

function addDemoPage(
  app: FastifyInstance,
  page: DemoProvider,
  settings: ProviderSettings | null,
  sendPage: SendPage,
): void {
  const { path, callbackPath, choices } = page;
  const secret = settings?.secrets[0];
  const signReference = settings?.signReference;
  // An outside provider takes the place of the page.
  if (!secret || !signReference) return;

  /** Returns null unless the service has made the link, and it still leads to somebody. */
  const openLink = async (request: FastifyRequest): Promise<OpenedLink | null> => {
    const parameters = new URLSearchParams(targetOf(request).query ?? '');
    const reference = parameters.get('reference') ?? '';
    const isOwn = equalSecrets(parameters.get('signature') ?? '', signReference(reference));
    const subject = isOwn && uuidForm.test(reference) ? await page.find(reference) : null;
    return subject && { reference, subject };
  };

  app.get(path, async (request, reply) => {
    const link = await openLink(request);
    if (!link) return sendPage(reply, 404, unknownLink);
    const { page: content, isOpen } = link.subject;
    return sendPage(reply, 200, { ...content, choices: isOpen ? choices : [] });
  });

  app.post(path, async (request, reply) => {
    const link = await openLink(request);
    if (!link) return sendPage(reply, 404, unknownLink);
    const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const choice = choices.find(({ status }) => status === fields.get('status'));
    if (!choice) return sendPage(reply, 400, unknownChoice);
    const { reference, subject } = link;
    const report = { reference, status: choice.status, ...subject.report };
    const refusal = await sendReport(request.raw.socket, callbackPath, secret, report);
    // The page shows what became of it, also when it is loaded again.
    if (refusal === null) return reply.redirect(targetOf(request).url, 303);
    return sendPage(reply, 409, {
      ...subject.page,
      choices: [],
      result: { text: `The service has refused the report: ${refusal}`, tone: 'bad' },
    });
  });
}

type SendPage = (reply: FastifyReply, status: number, page: DemoPage) => FastifyReply;

const pageSender =
  (isSandbox: boolean): SendPage =>
  (reply, status, page) =>
    reply.code(status).headers(pageHeaders).send(renderDemoPage(page, isSandbox));

const unknownLink: DemoPage = {
  title: 'This link is not valid',
  summary: 'It may have been replaced by a newer one. Ask the shop for a new link.',
  facts: {},
  choices: [],
};

const unknownChoice: DemoPage = {
  title: 'This choice is not valid',
  summary: 'Open the link of the shop again, and choose on its page.',
  facts: {},
  choices: [],
};
