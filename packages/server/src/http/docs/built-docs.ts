import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { packageFolder } from '../../lib/package-folder.ts';

/** What the build has rendered: the documentation, and that of a sandbox, which has further operations. */
export type DocsFolder = 'docs' | 'docs-sandbox';

const find = (folder: DocsFolder, file: string) => join(packageFolder, 'dist', folder, file);
const decompress = promisify(brotliDecompress);

/** One file of the built documentation, as its build lists it. */
export interface ListedFile {
  /** Its address, without a leading slash. */
  readonly path: string;
  /** Its name in the folder. Files whose name ends in `.br` are compressed. */
  readonly file: string;
  readonly contentType: string;
  /** Whether its address changes with its content. */
  readonly isVersioned: boolean;
}

interface Listing {
  readonly files: readonly ListedFile[];
  /** The guides for developers, in their order. `name` is the last part of the address. */
  readonly guides: readonly { readonly name: string; readonly title: string; readonly description: string }[];
}

const listings = new Map<DocsFolder, Promise<Listing>>();

/** Reads the list of what the build has rendered. */
export function readListing(folder: DocsFolder = 'docs'): Promise<Listing> {
  const known = listings.get(folder);
  if (known) return known;
  const listing = readFile(find(folder, 'files.json'), 'utf8').then(
    (text) => JSON.parse(text),
    (error) => {
      throw new Error('The documentation is missing: this installation of the server is not complete', {
        cause: error,
      });
    },
  );
  listings.set(folder, listing);
  return listing;
}

/** Reads a file of the built documentation. */
export async function readBuilt(file: string, folder: DocsFolder = 'docs'): Promise<Buffer> {
  const content = await readFile(find(folder, file));
  return file.endsWith('.br') ? decompress(content) : content;
}
