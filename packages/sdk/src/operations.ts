export { catalogue } from './generated/catalogue.ts';
export type { FieldDescription, OperationDescription } from './operation-description.ts';
