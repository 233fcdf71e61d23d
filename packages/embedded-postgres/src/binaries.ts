import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { makeLibraryLinks } from './library-links.ts';

const platforms = ['linux-arm64', 'linux-x64', 'darwin-arm64', 'darwin-x64'];

/** The PostgreSQL programs for this platform, ready to run. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Everything the programs read below their installation. */
  folders: string[];
  environment: Record<string, string>;
}

export async function findBinaries(dataFolder: string): Promise<Binaries> {
  const { initdb, postgres } = await importPlatformPackage();
  const packageFolder = dirname(dirname(dirname(postgres)));
  const spareFolder = await makeLibraryLinks(packageFolder, join(dataFolder, 'postgres-libraries'));
  const native = join(packageFolder, 'native');
  const libraries = join(native, 'lib');
  return {
    initdb,
    postgres,
    folders: [libraries, join(libraries, 'postgresql'), join(native, 'share', 'postgresql')],
    environment: {
      // Nothing else is handed down: the environment of the service may hold secrets, and PG* variables in it
      // would change what PostgreSQL does.
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      // A library found through a link looks for others beside the link, so the real folder is named as well.
      ...(spareFolder === null ? {} : { LD_LIBRARY_PATH: `${spareFolder}:${libraries}` }),
    },
  };
}

async function importPlatformPackage(): Promise<{ initdb: string; postgres: string }> {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  let found: unknown;
  try {
    found = await import(name);
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the embedded PostgreSQL is not installed: run npm install with optional ` +
        'dependencies, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  if (
    typeof found !== 'object' ||
    found === null ||
    !('initdb' in found && typeof found.initdb === 'string') ||
    !('postgres' in found && typeof found.postgres === 'string')
  ) {
    throw new Error(`The package ${name} does not name its programs`);
  }
  return { initdb: await realpath(found.initdb), postgres: await realpath(found.postgres) };
}
