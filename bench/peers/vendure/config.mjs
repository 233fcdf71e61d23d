import { DefaultLogger, dummyPaymentHandler, LogLevel } from '@vendure/core';

/** The settings of a shop in production: no plugins, so no search index, no e-mail and no worker. */
export const config = {
  logger: new DefaultLogger({ level: LogLevel.Error }),
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT) },
  // A storefront on another server sends the token of the session in a header.
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'bench', password: 'bench' } },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    synchronize: false,
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [],
};
