import { createTransport } from 'nodemailer';
import { mailFrom, shopName, showsCodes, smtpUrl } from './settings.server.ts';

if (!showsCodes && !(smtpUrl && mailFrom))
  throw new Error(
    'Set SMTP_URL and MAIL_FROM, so that customers get their codes, or SHOW_SIGN_IN_CODES=on on your own machine.',
  );
const timeoutMs = 10_000;
const mailServer = smtpUrl
  ? createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
  : null;

/**
 * Sends a code to a customer. Returns the code if the page may show it, which is for demos only: whoever sees the page
 * could sign in as anybody.
 */
export async function sendCode(email: string, code: string): Promise<string | null> {
  if (!mailServer || showsCodes) return code;
  await mailServer.sendMail({
    from: { name: shopName, address: mailFrom ?? '' },
    // As an object: a text would be read as a list of addresses.
    to: { name: '', address: email },
    subject: `${code} is your code for ${shopName}`,
    text: `Your code is ${code}.\n\nIt is valid for ten minutes. If you did not ask for it, ignore this message: nobody can sign in without it.\n`,
  });
  return null;
}
