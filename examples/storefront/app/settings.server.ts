import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

// The settings of the shop. `.env.example` explains them. A variable of the environment wins over the file. The file is read each time
// that the shop is loaded, so that in development a change of it counts at once.
const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};

function optional(name: string): string | null {
  return process.env[name] || file[name] || null;
}

function required(name: string): string {
  const value = optional(name);
  if (!value) throw new Error(`Set ${name} in .env: .env.example explains it.`);
  return value;
}

/** The address of the Keyfront service, which also has the pictures. */
export const keyfrontUrl = required('KEYFRONT_URL');
export const apiKey = required('KEYFRONT_API_KEY');
export const secretKey = required('KEYFRONT_SECRET_KEY');
/** Where customers reach the shop, without a slash at the end. Providers send them back there. */
export const shopUrl = required('SHOP_URL').replace(/\/$/, '');
/** Signs the cookies. */
export const sessionSecret = required('SESSION_SECRET');
export const shopName = optional('SHOP_NAME') ?? 'Nightgarden';
/** Proves that a webhook comes from the service. Without one, the shop asks for events. */
export const webhookSecret = optional('KEYFRONT_WEBHOOK_SECRET');
export const databaseFile = optional('DATABASE_FILE') ?? 'data/shop.db';
/** For a shop that only its developer sees: the page shows the code that would be sent by e-mail. */
export const showsCodes = optional('SHOW_SIGN_IN_CODES') === 'on';
if (showsCodes && !/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(shopUrl))
  throw new Error(
    `SHOW_SIGN_IN_CODES=on is for this machine only, and SHOP_URL is ${shopUrl}: set SMTP_URL instead.`,
  );
/** The mail server that sends codes. */
export const smtpUrl = optional('SMTP_URL');
export const mailFrom = optional('MAIL_FROM');
