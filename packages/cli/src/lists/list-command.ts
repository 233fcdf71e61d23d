import type { catalogue } from '@keyfront/sdk/operations';
import type { Command } from 'commander';
import { withConnection, withJson } from '../commands/shared-options.ts';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import type { Column } from '../terminal/table.ts';
import { type PagingOptions, pageSize, printItems, type ReadItems, readItems, withPaging } from './paging.ts';
import { withQueryOptions } from './query-options.ts';

export interface ListOptions extends ConnectionOptions, PagingOptions {
  readonly json?: true;
}

export interface ListDefinition<Item, Query, Api> {
  /** The operation whose query parameters become options. */
  readonly operation: keyof typeof catalogue;
  /** Query parameters whose flag is another word. */
  readonly names?: Readonly<Record<string, string>>;
  readonly columns: readonly Column<Item>[];
  /** What is said of an empty list. */
  readonly nothing: string;
  readonly list: (api: Api, query: Query, options: { signal: AbortSignal }) => AsyncIterable<Item>;
  /** Prints more than the list, such as what the service has counted. */
  readonly print?: (
    context: Context,
    read: ReadItems<Item>,
    request: ListRequest<Query, Api>,
  ) => Promise<void>;
  /** Opens what the list is read from. */
  readonly open: (context: Context, options: ConnectionOptions) => Promise<Api>;
}

/** What was asked for. */
export interface ListRequest<Query, Api> {
  readonly api: Api;
  readonly query: Query;
  readonly isJson: boolean;
}

/** Makes a command print a list of the API: its filters become options, and it reads as many pages as it is asked for. */
export function makeListCommand<Item, Query, Api>(
  command: Command,
  context: Context,
  definition: ListDefinition<Item, Query, Api>,
): Command {
  const { columns, nothing, list, open } = definition;
  const filters = withQueryOptions(command, definition.operation, definition.names);
  withPaging(command);
  withJson(command);
  withConnection(command, context);
  return command.action(async (options: ListOptions) => {
    const api = await open(context, options);
    // The service checks the values, and its errors name the flags.
    const query = { ...filters.read(options), take: pageSize(options) } as Query;
    const read = await withFlagNames(filters.flags, () =>
      readItems(list(api, query, { signal: context.signal }), options),
    );
    const isJson = options.json === true;
    if (definition.print) await definition.print(context, read, { api, query, isJson });
    else printItems(context, read, { columns, nothing, isJson });
  });
}
