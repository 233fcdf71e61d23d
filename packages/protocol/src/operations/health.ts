import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';

export const healthOperations = defineOperations({
  getHealthStatus: {
    method: 'GET',
    path: '/public/healthStatus',
    access: 'public',
    tag: 'Service',
    sdk: 'health.status',
    summary: 'Health status',
    description: 'Returns `Success` if the service responds.',
    status: 200,
    retry: 'safe',
    response: Type.String(),
    roundTrips: 0,
    example: { response: 'Success' },
  },
});
