export { describeService, type ServiceDescription } from './describe-service.ts';
export { referenceTopics } from './reference-topics.ts';
