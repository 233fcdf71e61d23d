import type { CodeSample } from '@keyfront/api-reference';
import { type Operation, takesIdempotencyKey } from '@keyfront/protocol';
import { callbackSample } from './callback-sample.ts';
import { cliSample, hasOwnCommand } from './cli-sample.ts';
import { curlSample } from './curl-sample.ts';
import type { SampleOperation } from './sample-operation.ts';
import { typescriptSample } from './typescript-sample.ts';

/** The samples of one operation, in the form of the vendor extension `x-codeSamples`. */
export function describeSamples(operation: Operation, baseUrl: string): CodeSample[] {
  const { access } = operation;
  if (access === 'provider') {
    return [{ lang: 'TypeScript', label: 'Node.js', source: callbackSample(operation, baseUrl) }];
  }
  const sample = sampleOf(operation, access, baseUrl);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(sample) },
    { lang: 'TypeScript', label: 'SDK', source: typescriptSample(sample) },
    // The general commands read JSON only.
    ...(operation.page && !hasOwnCommand(operation.sdk)
      ? []
      : [{ lang: 'CLI', label: 'CLI', source: cliSample(sample) }]),
  ];
}

function sampleOf(operation: Operation, access: SampleOperation['access'], baseUrl: string): SampleOperation {
  const { method, path, sdk, example } = operation;
  const { response: _response, ...request } = example;
  // The examples are validated against the schemas of the operation, so they hold what a request can hold.
  return {
    method,
    path,
    access,
    ...(sdk === undefined ? {} : { sdk }),
    baseUrl,
    takesIdempotencyKey: takesIdempotencyKey(operation),
    ...(operation.stream && { isStream: true }),
    ...(operation.upload && { file: 'image.png' }),
    ...(request as Partial<SampleOperation>),
  };
}
