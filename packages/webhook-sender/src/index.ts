export { type EndpointRules, findEndpointIssues, normalizeEndpoint } from './endpoint-url.ts';
export { type ResolveHost, resolveHost } from './resolve-host.ts';
export { createSender, type DeliveryResponse } from './send-request.ts';
