export type { SitePaths } from './html/page-links.ts';
export type {
  CodeSample,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  ReferenceDocument,
} from './openapi/openapi-document.ts';
export { buildReferenceSite, type ReferenceSiteOptions, type SiteFile } from './site/build-reference-site.ts';
export type { Guide, GuideSection, Topic } from './site/site-options.ts';
