import { defineConfig, type Plugin } from 'vite';

/**
 * Scripts wait for the styles: until they have run, the page shows its frame, which needs styles only. Otherwise both would share a slow
 * connection. The libraries are a script of their own, so that the browser can react between them and the rest.
 */
const orderScripts: Plugin = {
  name: 'order-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const libraries = /<link rel="modulepreload" crossorigin href="([^"]*\/libraries-[^"]*)">\s*/;
      const path = libraries.exec(html)?.[1];
      if (!path) throw new Error('The page has no libraries');
      const script = '<script type="module" crossorigin src="';
      return html
        .replace(libraries, '')
        .replace(script, `${script}${path}"></script>\n    ${script}`)
        .replace(/(<script type="module"|<link rel="modulepreload") /g, '$1 fetchpriority="low" ');
    },
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [orderScripts],
  // The sources of the SDK, so that the console can be built before and beside everything else.
  resolve: { conditions: ['@keyfront/source', 'browser', 'module', 'import', 'default'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Small files would otherwise become data URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // In kB, uncompressed. A test limits what the first page loads, compressed.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // What the first page needs, in two files: the libraries, which a browser keeps when the console changes, and the rest. Otherwise
      // each part that a later page shares becomes a file of its own.
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /\/node_modules\//, priority: 1 },
            { name: 'first-page', tags: ['$initial'] },
          ],
        },
      },
      onLog: (level, log, report) => {
        // Components are marked for React's servers, which the console has none of. A part of the wallet library that
        // the console does not use has code for Node.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE' || log.message.includes('externalized for browser')) return;
        report(level, log);
      },
    },
  },
  // For work on the console: `npm start` in one terminal, `npm run dev --workspace packages/console` in another.
  server: {
    // The host of the link that the service prints: its cookie is sent to every port of this host.
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/images', '/demo', '/docs', '/console/demo-wallets'].map((path) => [
        path,
        'http://127.0.0.1:3000',
      ]),
    ),
  },
});
