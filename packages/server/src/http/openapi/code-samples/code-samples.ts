import type { CodeSample } from '@keyfront/api-reference';
import { cliSample } from './cli-sample.ts';
import { curlSample } from './curl-sample.ts';
import type { SampleOperation } from './sample-operation.ts';
import { typescriptSample } from './typescript-sample.ts';

/** The samples of one operation, in the form of the vendor extension `x-codeSamples`. */
export function makeCodeSamples(operation: SampleOperation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(operation) },
    { lang: 'TypeScript', label: 'SDK', source: typescriptSample(operation) },
    { lang: 'CLI', label: 'CLI', source: cliSample(operation) },
  ];
}
