const { defineConfig } = require('@medusajs/framework/utils');

// One process without Redis: events, cache, locks and workflows are kept in its memory, which is faster. Searches are
// not measured, so there is no search index.
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseLogging: false,
    http: {
      storeCors: '',
      adminCors: '',
      authCors: '',
      jwtSecret: process.env.SECRET,
      cookieSecret: process.env.SECRET,
    },
  },
  admin: { disable: true },
  modules: [{ key: 'search', disable: true }],
});
