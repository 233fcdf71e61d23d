export { readAgentOptions } from './agent-access.ts';
export type { ConfirmationStates } from './confirmation.ts';
export { createHandler } from './create-handler.ts';
export type { OperationRequest, OperationResponse } from './operation-request.ts';
