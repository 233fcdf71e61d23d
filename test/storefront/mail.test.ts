import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop, spawnShop } from '../support/storefront-shop.ts';

describe('mail of the storefront', () => {
  const received: { from: string; to: string[]; message: string }[] = [];
  /** A mail server of another library, with a password. */
  const mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('Another password')),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((message) => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          message,
        });
        done();
      });
    },
  });
  let shop: Shop;

  beforeAll(async () => {
    mailServer.listen(0, '127.0.0.1');
    await once(mailServer.server, 'listening');
    const { port } = mailServer.server.address() as AddressInfo;
    shop = await openShop(undefined, {
      ...{ SHOW_SIGN_IN_CODES: '', SMTP_URL: `smtp://shop:p%40ss@127.0.0.1:${port}` },
      MAIL_FROM: 'shop@example.org',
    });
  });
  afterAll(async () => {
    await shop?.close();
    await new Promise<void>((resolve) => mailServer.close(resolve));
  });

  const post = (form: Record<string, string>) =>
    fetch(`${shop.url}/sign-in`, {
      ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'manual' as const },
      headers: { origin: shop.url },
    });

  it('sends the code to the customer, and to nobody who reads the page', async () => {
    const asked = await post({ email: 'Ada@example.org' });
    const page = await asked.text();
    expect(asked.status).toBe(200);
    expect(received).toMatchObject([{ from: 'shop@example.org', to: ['ada@example.org'] }]);
    const { message = '' } = received.shift() ?? {};
    const [, code = ''] = /^Subject: (\d{6}) is your code for Nightgarden\r$/m.exec(message) ?? [];
    expect(message).toMatch(new RegExp(`^Your code is ${code}\\.\\r$`, 'm'));
    expect(page).not.toContain(code);
    const signedIn = await post({ email: 'ada@example.org', code });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/register/),
    ]);
  });

  it('sends to one address, whatever is entered', async () => {
    for (const email of [
      '"a@b.example, c"@example.org',
      'a@example.org,c@example.org',
      'a@example.org\nBcc: c@example.org',
    ]) {
      await post({ email });
      for (const { to, message } of received.splice(0)) {
        expect(to).toHaveLength(1);
        expect(message).not.toMatch(/^Bcc:/im);
      }
    }
  });

  it('says so if the mail server is away, and goes on', async () => {
    await new Promise<void>((resolve) => mailServer.close(resolve));
    const refused = await post({ email: 'b@example.org' });
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining('The code could not be sent'),
    ]);
    expect((await fetch(shop.url)).status).toBe(200);
  });

  it('does not start if customers would get no codes, or if everybody would see them', async () => {
    const start = (others: Record<string, string>) => spawnShop({ ...shop.settings, PORT: '0', ...others });
    await expect(start({ SMTP_URL: '' })).rejects.toThrow('Set SMTP_URL and MAIL_FROM');
    for (const url of [
      'https://shop.example',
      'http://127.0.0.1.shop.example',
      'http://localhost.shop.example',
    ])
      await expect(start({ SHOW_SIGN_IN_CODES: 'on', SHOP_URL: url })).rejects.toThrow(
        'SHOW_SIGN_IN_CODES=on is for this machine only',
      );
  });
});
