import type { OpenApiDocument } from '@keyfront/api-reference';
import { describeService } from '@keyfront/openapi';
import { operationsOf } from '@keyfront/protocol';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { compileInputValidator } from '../../pipeline/input/compile-input.ts';

/** The OpenAPI document of this service, as callers reach it at the base URL. */
export function makeOpenApiDocument(
  baseUrl: string,
  { stagingUrl = null, isSandbox = false }: { stagingUrl?: string | null; isSandbox?: boolean } = {},
): Promise<OpenApiDocument> {
  return describeService({
    operations: operationsOf(isSandbox),
    baseUrl,
    stagingUrl,
    isSandbox,
    versionPrefix,
    compileValidator: compileInputValidator,
  });
}
