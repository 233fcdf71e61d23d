export * from './canonical-payload.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './key-proof.ts';
export * from './operation.ts';
export * from './operations/index.ts';
export * from './schemas/index.ts';
export * from './signature-issues.ts';
