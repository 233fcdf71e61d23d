import { loadEnvironment, readConfig } from '../config/config.ts';
import { findMisspeltSettings } from '../config/misspelt-settings.ts';
import { StartError } from '../lib/errors/start-error.ts';

const usage = `Usage: keyfront-server [command]

Without a command, runs the service. All commands read their settings from the environment and from a
.env file; KEYFRONT_DATA is the data folder.

Commands:
  migrate           apply the migrations that the database lacks, and end
  backup <file>     back up the embedded database, while the service runs or while it is stopped
  restore <file>    restore a backup into an empty data folder
  revoke-key <key>  revoke an API key, or all keys and sessions of a wallet, when the holder cannot
  archive-orders    move old orders from the database to files, which the export still reads
  reset-demo        load the demo data again, as at the first start

keyfront-server <command> --help describes a command. keyfront-server --version prints the version.`;

const commandUsages = {
  migrate: `Usage: keyfront-server migrate

Applies the migrations that the database lacks, and ends. The service does the same whenever it starts, if
its user owns the tables. Use the command to migrate before the first new instance starts, for example in a
job of a container scheduler. Only this job needs DATABASE_OWNER_URL then.`,
  backup: `Usage: keyfront-server backup <file>

Writes a backup of the embedded database in KEYFRONT_DATA to a new file. The service can run meanwhile;
the backup contains everything that was committed before the command started.

The file is a compressed tar archive with mode 600. It contains the database, secrets.json and demo.json, and the
uploaded images and archived orders of the data folder, so keep it as private as that folder. While it is being
written its name ends in .partial; a file without that ending is complete. What is in IMAGE_FOLDER or S3_BUCKET,
and a DATA_ENCRYPTION_KEY that you have set yourself, are not part of the backup.`,
  restore: `Usage: keyfront-server restore <file>

Restores a backup into the data folder KEYFRONT_DATA, which must be empty or absent. The file is verified
and the database is started once before anything appears in the folder. Then start the service: it uses
the secrets of the backup, and applies migrations that are newer than the backup.`,
  'revoke-key': `Usage: keyfront-server revoke-key <key>

Revokes an API key, for an emergency in which its holder cannot. <key> is the id of the key, its fingerprint
(keyFingerprint in the security log), or the address of a wallet: then all API keys of the wallet are revoked,
and all its sessions end. The command ends when no process of the service accepts them any more. A revocation
is final. The holder creates a new key.

It uses DATABASE_URL, directly or through a connection pooler. The embedded database is only available while the
service is stopped.`,
  'archive-orders': `Usage: keyfront-server archive-orders --before <month> [--dry-run]

Moves orders that were placed before a month, such as 2024-01, to compressed files beside the uploaded images, in
IMAGE_FOLDER or S3_BUCKET. The month is at least twelve months ago. An order is moved if it is delivered or cancelled,
if nothing of it is due, and if it has not changed for EVENT_RETENTION_DAYS. Lists no longer contain it.
Statistics and the CSV export still do; JSON pages and Excel workbooks do not. Nothing moves it back.

Run it as the user of the service, on a machine that sees the same folder or bucket. The service can run meanwhile. The
command may be interrupted and repeated at any time. --dry-run only says what it would do. It uses DATABASE_URL, directly or through a connection pooler. The embedded database is only available
while the service is stopped.`,
  'reset-demo': `Usage: keyfront-server reset-demo [--yes]

Deletes everything in the database of a demo, and loads the demo data as at the first start. Stop the service
first. The wallets and API keys in demo.json stay the same. Uploaded images stay, too. A database that does
not hold the demo is refused.

The command asks for confirmation. --yes does not ask, and is required without a terminal.`,
} as const;

type CommandName = keyof typeof commandUsages;

const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(commandUsages, name);
const isHelp = (argument: string) => argument === '--help' || argument === '-h';

/** The command line is invalid. */
export class UsageError extends Error {}

/** Runs the command that the arguments name. Without arguments it runs the service. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  // Each command loads only its own code: that of the service takes longer to load than most commands take.
  if (name === undefined) return (await import('./run-service.ts')).runService();
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  if (isHelp(name)) return print(usage);
  if (name === '--version') return print((await import('./service-version.ts')).readServiceVersion());
  if (!isCommand(name)) throw new UsageError(`Unknown command "${name}".\n\n${usage}`);
  if (rest.some(isHelp)) return print(commandUsages[name]);
  if (name === 'migrate') {
    if (rest.length > 0)
      throw new UsageError(`The command migrate takes no argument.\n\n${commandUsages.migrate}`);
    return runMigration();
  }
  if (name === 'reset-demo') {
    if (rest.some((argument) => argument !== '--yes'))
      throw new UsageError(`The command reset-demo takes only --yes.\n\n${commandUsages['reset-demo']}`);
    return runDemoReset(rest.includes('--yes'));
  }
  if (name === 'revoke-key') return runRevocation(rest);
  if (name === 'archive-orders') return runArchiving(rest);
  const [file, ...others] = rest;
  if (file === undefined || file.startsWith('-') || others.length > 0) {
    throw new UsageError(`The command ${name} needs the name of one file.\n\n${commandUsages[name]}`);
  }
  const { database, dataFolder, dataEncryptionKey } = readConfig(loadEnvironment());
  if (database !== null) {
    throw new StartError(
      `The command ${name} is for the embedded database, and DATABASE_URL is set: use the tools of PostgreSQL, ` +
        'as docs/operating/backups.md describes.',
    );
  }
  if (name === 'restore') {
    const { restore } = await import('./backup/restore.ts');
    return restore({ dataFolder, file, onProgress: print });
  }
  const { backUp } = await import('./backup/back-up.ts');
  return backUp({
    dataFolder,
    file,
    onProgress: print,
    hasOwnDataKey: dataEncryptionKey !== null,
    signal: abortOnSignal(),
  });
}

async function runMigration(): Promise<void> {
  const { migrateDatabase } = await import('./commands/migrate-database.ts');
  const { config, logger, onProgress } = await openOutput();
  await migrateDatabase(config, { logger, onProgress, signal: abortOnSignal() });
}

async function runRevocation(args: readonly string[]): Promise<void> {
  const { readKeyName, revokeKey } = await import('./commands/revoke-key.ts');
  const [text = '', ...others] = args;
  const name = readKeyName(text);
  if (name === null || others.length > 0) {
    throw new UsageError(
      `The command revoke-key needs one id, fingerprint or wallet address.\n\n${commandUsages['revoke-key']}`,
    );
  }
  const { config, logger, onProgress } = await openOutput();
  await revokeKey(config, name, { logger, onProgress });
}

async function runArchiving(args: readonly string[]): Promise<void> {
  const { readMonth } = await import('@keyfront/order-archive');
  const isDryRun = args.includes('--dry-run');
  const words = args.flatMap((argument) => argument.split('='));
  const [option, text = '', ...others] = words.filter((word) => word !== '--dry-run');
  const before = readMonth(text);
  if (option !== '--before' || before === null || others.length > 0) {
    const given = args.length > 0 ? `, and not "${args.join(' ')}"` : '';
    throw new UsageError(
      `The command archive-orders needs a month, such as --before 2024-01${given}.\n\n${commandUsages['archive-orders']}`,
    );
  }
  const { archiveOldOrders } = await import('./commands/archive-old-orders.ts');
  const { config, logger, onProgress } = await openOutput();
  await archiveOldOrders(config, before, { logger, onProgress, isDryRun, signal: abortOnSignal() });
}

async function runDemoReset(isConfirmed: boolean): Promise<void> {
  if (!isConfirmed && !process.stdin.isTTY)
    throw new UsageError(`Without a terminal, reset-demo needs --yes.\n\n${commandUsages['reset-demo']}`);
  const { resetDemo } = await import('./commands/reset-demo.ts');
  const { config, logger, onProgress } = await openOutput();
  const confirm = async (question: string) => isConfirmed || (await ask(question));
  await resetDemo(config, { logger, onProgress, confirm, signal: abortOnSignal() });
}

/** The settings, and where a command that uses the database writes. */
async function openOutput() {
  const environment = loadEnvironment();
  const config = readConfig(environment);
  const [{ openLogOutput }, { createLogger }] = await Promise.all([
    import('@keyfront/log-writer'),
    import('../observability/logging.ts'),
  ]);
  const output = openLogOutput(config.logFormat);
  const logger = createLogger(config.logLevel, output);
  for (const sentence of findMisspeltSettings(environment)) logger.warn(sentence);
  return { config, logger, onProgress: output.print };
}

async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // Whoever closes the input has not said yes.
  const closed = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)));
  const answer = await Promise.race([prompt.question(`${question} [y/N] `), closed]);
  // The cursor is still behind the question.
  if (answer === null) process.stderr.write('\n');
  prompt.close();
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** A command that is interrupted cleans up after itself. */
function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => controller.abort(new Error(`it was interrupted by ${signal}`)));
  }
  return controller.signal;
}
