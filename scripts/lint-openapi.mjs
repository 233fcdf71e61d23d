// Lints the OpenAPI document of the service with the strict rules of Redocly and Spectral, whose findings are what users of
// generators run into. Part of `npm run check`, after the build.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { makeOpenApiDocument } from '../packages/server/dist/http/docs/openapi-document.js';

const source = JSON.stringify(
  await makeOpenApiDocument('https://shop.test/api/v1', {
    stagingUrl: 'https://staging.shop.test/api/v1',
    isSandbox: true,
  }),
);

const findings = [...(await lintWithRedocly()), ...(await lintWithSpectral())];
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error(`\nopenapi.json has ${findings.length} findings.`);
  process.exitCode = 1;
}

async function lintWithRedocly() {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, config });
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer})`,
  );
}

async function lintWithSpectral() {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
  const problems = await linter.run(source);
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join('.')})`);
}
