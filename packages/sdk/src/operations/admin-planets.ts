import type { NewPlanet, Planet, PlanetChange } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** Changes of the list of planets. */
export class AdminPlanets {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds a planet. */
  create(planet: NewPlanet, options?: CallOptions): Promise<Planet> {
    return this.#call('POST', '/admin/planets', { ...options, body: planet });
  }

  /** Changes the fields that are given. */
  async update(planetId: string, change: PlanetChange, options?: CallOptions): Promise<Planet> {
    return this.#call('PATCH', path`/admin/planets/${planetId}`, { ...options, body: change });
  }
}
