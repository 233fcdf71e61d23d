import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  // A stylesheet or an image is a file, never a part of the page: the Content-Security-Policy allows no `data:`.
  build: { assetsInlineLimit: 0 },
});
