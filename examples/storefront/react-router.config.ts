import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // As version 7 does it. What is not decided here is warned about at every start.
  future: {
    v8_middleware: false,
    v8_passThroughRequests: false,
    v8_splitRouteModules: false,
    v8_trailingSlashAwareDataRequests: false,
    v8_viteEnvironmentApi: false,
  },
} satisfies Config;
