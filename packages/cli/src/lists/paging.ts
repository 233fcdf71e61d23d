import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';

export interface PagingOptions {
  readonly limit: number;
  readonly all?: true;
}

const defaultLimit = 50;
const largestPage = 100;

/** Adds `--limit` and `--all`. */
export function withPaging(command: Command): Command {
  return command
    .addOption(
      new Option('--limit <count>', 'show at most this many').argParser(readCount).default(defaultLimit),
    )
    .addOption(new Option('--all', 'show all of them').conflicts('limit'));
}

/** Reads the value of an option that is a number of items. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999.');
  return Number(text);
}

/** How many items to ask for in one request. One more than are shown tells whether there are more. */
export function pageSize({ limit, all }: PagingOptions): number {
  return all ? largestPage : Math.min(limit + 1, largestPage);
}

/** The beginning of a list. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Reads as much of a list as the options ask for. */
export async function readItems<Item>(
  list: AsyncIterable<Item>,
  { limit, all }: PagingOptions,
): Promise<ReadItems<Item>> {
  const items: Item[] = [];
  for await (const item of list) {
    if (!all && items.length === limit) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
}

export interface ListOutput<Item> {
  readonly columns: readonly Column<Item>[];
  /** What is said of an empty list. */
  readonly nothing: string;
  readonly isJson: boolean;
  /** How to see more. */
  readonly more?: string;
}

/** Prints a list as a table or as JSON. That there is more goes to stderr, so that the output stays clean. */
export function printItems<Item>(
  { stdout, stderr, env }: Context,
  { items, hasMore }: ReadItems<Item>,
  { columns, nothing, isJson, more = 'Use --limit or --all to see more.' }: ListOutput<Item>,
): void {
  if (isJson) stdout.write(`${compactJson(items)}\n`);
  else if (items.length > 0) stdout.write(formatTable(columns, items, stdout));
  else stderr.write(`${nothing}\n`);
  if (hasMore) stderr.write(`${styleFor(stderr, env).dim(`These are the first ${items.length}. ${more}`)}\n`);
}
