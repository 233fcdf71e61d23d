import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { makeLibraryLinks } from './library-links.ts';

const platforms = ['linux-arm64', 'linux-x64', 'darwin-arm64', 'darwin-x64'];

/** The PostgreSQL programs for this platform, ready to run. */
export interface Binaries {
  /** Contains the folder `native`, and nothing else that the programs read. */
  packageFolder: string;
  initdb: string;
  postgres: string;
  /** The folders of the installation that the programs read. */
  folders: string[];
  environment: Record<string, string>;
}

/** Finds the programs in the platform package of npm. */
export async function findBinaries(dataFolder: string): Promise<Binaries> {
  const packageFolder = dirname(dirname(dirname(await findServerProgram())));
  return describeBinaries(packageFolder, join(dataFolder, 'postgres-libraries'));
}

/** Describes the programs in a platform package, or in a copy of one, and makes them ready to run. */
export async function describeBinaries(packageFolder: string, fallbackFolder: string): Promise<Binaries> {
  const linkFolder = await makeLibraryLinks(packageFolder, fallbackFolder);
  const native = join(packageFolder, 'native');
  const libraries = join(native, 'lib');
  return {
    packageFolder,
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    folders: [libraries, join(libraries, 'postgresql'), join(native, 'share', 'postgresql')],
    environment: {
      // The rest of the environment is not passed on: it may contain secrets, and PG* variables would change how
      // PostgreSQL behaves.
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      // The loader resolves further libraries relative to the link, so the folder of the real files is listed as well.
      ...(linkFolder === null ? {} : { LD_LIBRARY_PATH: `${linkFolder}:${libraries}` }),
    },
  };
}

async function findServerProgram(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(
      'UNSUPPORTED_PLATFORM',
      `The embedded PostgreSQL is not available for ${platform}`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  let exported: unknown;
  try {
    exported = await import(name);
  } catch (error) {
    throw new EmbeddedPostgresError('BINARIES_NOT_INSTALLED', `The package ${name} is not installed`, {
      cause: error,
    });
  }
  if (
    typeof exported !== 'object' ||
    exported === null ||
    !('postgres' in exported && typeof exported.postgres === 'string')
  ) {
    throw new Error(`The package ${name} does not export the path of postgres`);
  }
  return realpath(exported.postgres);
}
