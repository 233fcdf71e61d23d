import { BoundedMap } from '@keyfront/bounded-map';
import { type PrecompressedFile, precompressFile } from '../precompressed-file.ts';
import { type DocsFolder, type ListedFile, readBuilt, readListing } from './built-docs.ts';
import { type Addresses, insertAddresses } from './placeholders.ts';

/** About a tenth of a megabyte each. */
const maxKept = 60;

/** The documentation that the build has rendered. A file is completed with the addresses of the service when it is first requested. */
export class DocsFiles {
  readonly #folder: DocsFolder;
  readonly #addresses: () => Addresses;
  readonly #headersOf: (contentType: string) => Readonly<Record<string, string>>;
  readonly #files = new BoundedMap<Promise<PrecompressedFile>>(maxKept);
  #listed: Map<string, ListedFile> | undefined;

  constructor(
    folder: DocsFolder,
    addresses: () => Addresses,
    headersOf: (contentType: string) => Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    this.#addresses = addresses;
    this.#headersOf = headersOf;
  }

  /** The file at an address; null if there is none. */
  async find(path: string): Promise<PrecompressedFile | null> {
    this.#listed ??= new Map((await readListing(this.#folder)).files.map((file) => [file.path, file]));
    const listed = this.#listed.get(path);
    if (!listed) return null;
    const file = this.#files.get(path) ?? this.#read(listed);
    this.#files.set(path, file);
    return file;
  }

  async #read({ file, contentType, isVersioned }: ListedFile): Promise<PrecompressedFile> {
    const headers = {
      'content-type': contentType,
      'cache-control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...this.#headersOf(contentType),
    };
    const content = await readBuilt(file, this.#folder);
    const isText = file.endsWith('.br');
    return precompressFile(
      isText ? insertAddresses(content.toString(), this.#addresses()) : content,
      headers,
    );
  }
}
