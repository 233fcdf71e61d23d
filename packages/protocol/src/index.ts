export * from './canonical-payload.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './paging.ts';
export * from './planets.ts';
export * from './strains.ts';
export * from './values.ts';
