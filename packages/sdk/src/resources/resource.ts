import type { OperationClient } from '../operation-client.ts';

/** A group of operations. */
export abstract class Resource {
  protected readonly client: OperationClient;

  constructor(client: OperationClient) {
    this.client = client;
  }
}
