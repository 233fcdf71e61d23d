import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { packageFolder } from '../../lib/package-folder.ts';

const folder = join(packageFolder, 'dist', 'docs');
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

let listing: Promise<Listing> | undefined;

/** Reads the list of what the build has rendered. */
export function readListing(): Promise<Listing> {
  listing ??= readFile(join(folder, 'files.json'), 'utf8').then(
    (text) => JSON.parse(text),
    (error) => {
      throw new Error('The documentation is missing: this installation of the server is not complete', {
        cause: error,
      });
    },
  );
  return listing;
}

/** Reads a file of the built documentation. */
export async function readBuilt(file: string): Promise<Buffer> {
  const content = await readFile(join(folder, file));
  return file.endsWith('.br') ? decompress(content) : content;
}
