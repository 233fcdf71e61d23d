import type { OpenApiDocument } from '@keyfront/api-reference';
import { describeService } from '@keyfront/openapi';
import { operationList } from '@keyfront/protocol';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { compileInputValidator } from '../../pipeline/input/compile-input.ts';

/** The OpenAPI document of this service, as callers reach it at the base URL. */
export function makeOpenApiDocument(
  baseUrl: string,
  stagingUrl: string | null = null,
): Promise<OpenApiDocument> {
  return describeService({
    operations: operationList,
    baseUrl,
    stagingUrl,
    versionPrefix,
    compileValidator: compileInputValidator,
  });
}
