import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/package-folder.ts';
import { type PrecompressedFile, precompressedFile } from '../precompressed-file.ts';

/** One file of the built console, as its build lists it. */
interface ListedFile {
  readonly path: string;
  readonly contentType: string;
  readonly hash: string;
  readonly encodings: readonly ('br' | 'gz')[];
  /** Whether its name changes with its content. */
  readonly isVersioned: boolean;
}

/** The first is where it is built in a clone, the second where `npm pack` puts it. */
const folders = [join(packageFolder, '..', 'console', 'dist'), join(packageFolder, 'console')];

/** The built console. Files are read when they are first requested, and only those that the build has listed. */
export class ConsoleFiles {
  readonly #folder: string;
  readonly #listed: ReadonlyMap<string, ListedFile>;
  readonly #files = new Map<string, Promise<PrecompressedFile>>();
  #page: Promise<string> | undefined;

  private constructor(folder: string, listed: readonly ListedFile[]) {
    this.#folder = folder;
    this.#listed = new Map(listed.map((file) => [file.path, file]));
  }

  /** Reads the list of files. Throws if the console was not built. */
  static async open(): Promise<ConsoleFiles> {
    const folder = folders.find((path) => existsSync(join(path, 'files.json')));
    if (!folder) throw new Error('The console is missing: this installation of the server is not complete');
    return new ConsoleFiles(folder, JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')));
  }

  /** The file with this path below `/console/`, except the page itself. Null if there is none. */
  async findFile(path: string): Promise<PrecompressedFile | null> {
    const listed = path === pageName ? undefined : this.#listed.get(path);
    if (!listed) return null;
    const read = this.#files.get(path) ?? this.#readFile(listed);
    this.#files.set(path, read);
    return read;
  }

  /** The page, with its placeholders. */
  readPage(): Promise<string> {
    this.#page ??= readFile(join(this.#folder, pageName), 'utf8');
    return this.#page;
  }

  async #readFile({
    path,
    contentType,
    hash,
    encodings,
    isVersioned,
  }: ListedFile): Promise<PrecompressedFile> {
    const read = (extension: string) => readFile(join(this.#folder, `${path}${extension}`));
    const [plain, brotli, gzipped] = await Promise.all([
      read(''),
      encodings.includes('br') ? read('.br') : null,
      encodings.includes('gz') ? read('.gz') : null,
    ]);
    const headers = {
      'content-type': contentType,
      'cache-control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    return precompressedFile({ hash, headers, plain, brotli, gzipped });
  }
}

const pageName = 'index.html';
