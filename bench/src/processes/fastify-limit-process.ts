import { createRequire } from 'node:module';
import { type FastifyRequest, fastify } from 'fastify';
import pg from 'pg';
import { answerParent } from './child.ts';
import type { FastifyLimitAnswer, FastifyLimitQuestion } from './fastify-limit.ts';

// Fastify with nothing on it but what the limit names: a constant answer, one verification, one query.

type Secp256k1 = typeof import('secp256k1');
const secp256k1: Secp256k1 = createRequire(import.meta.url)('secp256k1/bindings');
const orderByKey = 'SELECT * FROM keyfront.orders WHERE id = $1';

let question: FastifyLimitQuestion;
let body = '';
let pool: pg.Pool | null = null;
let origin: string | null = null;

function verify(request: FastifyRequest): void {
  const der = Buffer.from(String(request.headers['x-auth-signature']), 'base64');
  const signature = secp256k1.signatureNormalize(secp256k1.signatureImport(der));
  if (!secp256k1.ecdsaVerify(signature, question.digest, question.point))
    throw new Error('Not the signature');
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
  if (found?.rowCount !== 1) throw new Error('Not the order');
  return reply.type(json).send(body);
});

answerParent<FastifyLimitQuestion, FastifyLimitAnswer>(async (asked) => {
  question = asked;
  body = asked.body;
  pool ??= new pg.Pool({ connectionString: asked.databaseUrl, max: asked.poolSize });
  origin ??= await app.listen({ host: '127.0.0.1', port: 0 });
  return { origin };
});
