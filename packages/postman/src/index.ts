export { describeCollection } from './describe-collection.ts';
