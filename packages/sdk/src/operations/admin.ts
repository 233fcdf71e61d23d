import { AdminAudit } from './admin-audit.ts';
import { AdminClients } from './admin-clients.ts';
import { AdminOrders } from './admin-orders.ts';
import { AdminPlanets } from './admin-planets.ts';
import { AdminStrains } from './admin-strains.ts';
import type { Call } from './call.ts';

/** For administrators, signed in with `admin: true`. */
export class Admin {
  readonly audit: AdminAudit;
  readonly clients: AdminClients;
  readonly orders: AdminOrders;
  readonly planets: AdminPlanets;
  readonly strains: AdminStrains;

  constructor(call: Call) {
    this.audit = new AdminAudit(call);
    this.clients = new AdminClients(call);
    this.orders = new AdminOrders(call);
    this.planets = new AdminPlanets(call);
    this.strains = new AdminStrains(call);
  }
}
