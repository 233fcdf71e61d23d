import { existsSync } from 'node:fs';

// The settings of the shop. `.env.example` explains them. A variable of the environment wins over the file.
if (existsSync('.env')) process.loadEnvFile();

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}: .env.example explains it.`);
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
export const shopName = process.env.SHOP_NAME || 'Nightgarden';
/** Proves that a webhook comes from the service. */
export const webhookSecret = required('KEYFRONT_WEBHOOK_SECRET');
export const databaseFile = process.env.DATABASE_FILE || 'data/shop.db';
/** For demos only: the page shows the code that would be sent by e-mail. */
export const showsCodes = process.env.SHOW_SIGN_IN_CODES === 'on';
