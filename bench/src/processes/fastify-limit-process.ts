import { createRequire } from 'node:module';
import { type FastifyRequest, fastify } from 'fastify';
import pg from 'pg';
import { serveParent } from './child.ts';
import type { FastifyLimitJob, FastifyLimitResult } from './fastify-limit.ts';

// Plain Fastify that does only the work named by the limit: a constant response, one verification, one query.

type Secp256k1 = typeof import('secp256k1');
const secp256k1: Secp256k1 = createRequire(import.meta.url)('secp256k1/bindings');
const orderByKey = 'SELECT * FROM keyfront.orders WHERE id = $1';

let current: FastifyLimitJob;
let body = '';
let pool: pg.Pool | null = null;
let origin: string | null = null;

function verify(request: FastifyRequest): void {
  const der = Buffer.from(String(request.headers['x-auth-signature']), 'base64');
  const signature = secp256k1.signatureNormalize(secp256k1.signatureImport(der));
  if (!secp256k1.ecdsaVerify(signature, current.digest, current.point)) throw new Error('Invalid signature');
}

const app = fastify();
const json = 'application/json; charset=utf-8';
app.get('/constant', (_request, reply) => reply.type(json).send(body));
app.get('/verified', (request, reply) => {
  verify(request);
  return reply.type(json).send(body);
});
app.get<{ Params: { id: string } }>('/order/:id', async (request, reply) => {
  verify(request);
  const found = await pool?.query({ name: 'order', text: orderByKey, values: [request.params.id] });
  if (found?.rowCount !== 1) throw new Error('Order not found');
  return reply.type(json).send(body);
});

serveParent<FastifyLimitJob, FastifyLimitResult>(async (job) => {
  current = job;
  body = job.body;
  pool ??= new pg.Pool({ connectionString: job.databaseUrl, max: job.poolSize });
  origin ??= await app.listen({ host: '127.0.0.1', port: 0 });
  return { origin };
});
