import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, loadEnv } from 'vite';

const { SHOP_URL } = loadEnv('', process.cwd(), 'SHOP_');
const { hostname, port } = new URL(SHOP_URL || 'http://127.0.0.1:3100');

export default defineConfig({
  plugins: [reactRouter()],
  // A stylesheet or an image is a file, never a part of the page: the Content-Security-Policy allows no `data:`.
  build: { assetsInlineLimit: 0 },
  // `npm run dev` serves where SHOP_URL says, because providers send customers back there.
  server: { host: hostname, port: Number(port) || 3100, strictPort: true },
});
