import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';
import { toSerializerSchema } from './serializer-schema.ts';

type BuildSerializer = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>;

/**
 * Fastify's own serializers, each compiled when the first response needs it. Compiling those of all operations would
 * take a fifth of the time that the service needs to start.
 */
export const buildLazySerializers: BuildSerializer = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  return (route) => {
    let serialize: ((data: unknown) => string) | null = null;
    return (data) => {
      serialize ??= compile({ ...route, schema: toSerializerSchema(route.schema) });
      return serialize(data);
    };
  };
};
