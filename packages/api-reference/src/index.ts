export type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi-document.ts';
export { renderReferencePage } from './render-reference-page.ts';
