import { readFile } from 'node:fs/promises';
import { createTokens } from '../../packages/server/src/auth/tokens.ts';
import type { AppDependencies } from '../../packages/server/src/boot/app.ts';
import { createAuthentication } from '../../packages/server/src/boot/authentication.ts';
import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import { consoleLink, deriveConsoleToken } from '../../packages/server/src/resources/demo/console-token.ts';
import type { DemoFile } from '../../packages/server/src/resources/demo/demo-file.ts';
import { createDemoProvider } from '../../packages/server/src/resources/demo/demo-provider.ts';
import { getPrepared } from './prepared.ts';
import { noLimits, startTestAppOn, type TestApp, testSecret } from './test-app.ts';
import { createTestDatabase, runSql } from './test-database.ts';

export interface DemoService extends TestApp {
  /** The holders and the administrator of the demo. */
  readonly demo: DemoFile;
  /** Opens the console with the wallets of the demo, as the link that a start prints. */
  readonly consoleUrl: string;
}

/** Parts of the service that a test chooses, and the chain whose messages wallets sign. */
export interface DemoServiceParts extends Partial<Omit<AppDependencies, 'signIn'>> {
  readonly chainId?: number;
  /** Whether webhooks are delivered. */
  readonly sendsWebhooks?: boolean;
}

const quickDeliveries = { dispatchMs: 20, idleMs: 20, pollMs: 100, deadlineMs: 2_000 };

/** A service with the demo and the console in this process, with its real guard. */
export async function startDemoService({
  chainId = 1,
  sendsWebhooks = false,
  ...parts
}: DemoServiceParts = {}): Promise<DemoService> {
  const { file } = await getPrepared('demo');
  const demo: DemoFile = JSON.parse(await readFile(file, 'utf8'));
  const testDatabase = await createTestDatabase('demo');
  const feed = new ChangeFeed({ url: testDatabase.loginUrl });
  const tokens = createTokens({ secret: testSecret, previousSecret: null });
  const consoleToken = deriveConsoleToken(demo.admin.walletPrivateKey);
  const adminWallets = [demo.admin.walletAddress.toLowerCase()];
  const authentication = createAuthentication({
    ...{ database: testDatabase.database, feed, tokens, limits: noLimits, adminWallets },
    publicUrl: null,
    logger: { warn: () => undefined },
  });
  await feed.start();
  // The demo is older than the sandbox, which only its first start could have made of it.
  if (parts.sandbox)
    await runSql(testDatabase.ownerUrl, 'INSERT INTO keyfront.installation (is_sandbox) VALUES (true)');
  const service = await startTestAppOn(testDatabase, {
    guard: authentication.guard,
    tokens,
    console: true,
    isDemo: true,
    demoWallets: { token: consoleToken, read: async () => demo },
    providers: {
      KYC: createDemoProvider('KYC', testSecret),
      PAYMENT: createDemoProvider('PAYMENT', testSecret),
    },
    signIn: { domain: null, uri: null, chainId, rpcUrl: null, adminWallets },
    ...(sendsWebhooks ? { deliveries: { url: testDatabase.loginUrl, timing: quickDeliveries } } : {}),
    ...parts,
  });
  return {
    ...service,
    demo,
    consoleUrl: consoleLink(`${service.origin}/console`, consoleToken),
    close: async () => {
      await service.app.close();
      await authentication.close();
      await feed.close();
      await service.close();
    },
  };
}
