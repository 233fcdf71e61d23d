import { readGuides } from '../../http/docs/guides.ts';
import { addPostmanRoute } from '../../http/docs/postman-route.ts';
import { addMcpRoutes, type McpDependencies } from '../../pipeline/mcp-route.ts';
import type { Area } from './area.ts';

type ClientDependencies = Pick<McpDependencies, 'guard' | 'corsOrigins' | 'version' | 'responseCipher'>;

/** What other programs call the operations with: the endpoint of agents, and the collection for Postman. */
export function addClientPrograms(
  { app, baseUrl, database }: Area,
  { version, ...dependencies }: ClientDependencies,
): void {
  addMcpRoutes(app, { ...dependencies, database, version, baseUrl, readGuides });
  addPostmanRoute(app, { baseUrl, version });
}
