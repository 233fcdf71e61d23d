export { readAgentOptions } from './agent-access.ts';
export { createHandler } from './create-handler.ts';
export type { OperationRequest, OperationResponse } from './operation-request.ts';
