import { type SampleOperation, samplePath } from './sample-operation.ts';
import { jsonForShell, shellWord, singleQuoted } from './shell-quoting.ts';

/** Profiles that the guides log in with. A storefront's own profile is the default. */
const profiles: Readonly<Record<SampleOperation['access'], string | null>> = {
  public: null,
  credential: null,
  jwt: 'wallet',
  administrator: 'admin',
};

/** Commands of their own: the general ones would print the secret of a response on the terminal, send JSON only, or end. */
const ownCommands: Readonly<Record<string, (operation: SampleOperation) => string[]>> = {
  'keys.create': ({ body }) => [
    `keyfront keys create ${shellWord((body as { readonly keyName: string }).keyName)}`,
    '--secret-key-file storefront.pem',
    '--profile wallet',
  ],
  'orders.invoice': ({ parameters }) => [invoiceCommand(parameters)],
  'admin.orders.invoice': ({ parameters }) => [invoiceCommand(parameters), '--profile admin'],
  'events.stream': ({ query = {} }) => [`keyfront listen --events ${shellWord(String(query.type))}`],
  'admin.images.upload': ({ file = '' }) => [`keyfront images upload ${shellWord(file)}`, '--profile admin'],
  'auth.signIn': ({ baseUrl }) => [
    'keyfront login',
    `--url ${shellWord(baseUrl)}`,
    '--wallet-key-file wallet.txt',
    '--profile wallet',
  ],
};

function invoiceCommand({ orderId = '' }: SampleOperation['parameters'] = {}): string {
  return `keyfront orders invoice ${shellWord(String(orderId))} -o invoice.html`;
}

/** Whether there is a command of its own for an operation. */
export function hasOwnCommand(sdk = ''): boolean {
  return sdk in ownCommands;
}

/** The command of the `keyfront` CLI. */
export function cliSample(operation: SampleOperation): string {
  const words = ownCommands[operation.sdk ?? '']?.(operation) ?? requestCommand(operation);
  return words.join(' \\\n  ');
}

function requestCommand(operation: SampleOperation): string[] {
  const { method, query = {}, body, access } = operation;
  const profile = profiles[access];
  return [
    `keyfront ${method.toLowerCase()} ${shellWord(samplePath(operation))}`,
    ...Object.entries(query).map(([name, value]) => `--query ${shellWord(`${name}=${value ?? ''}`)}`),
    ...(body === undefined ? [] : [`--data ${singleQuoted(jsonForShell(body))}`]),
    ...(profile === null ? [] : [`--profile ${profile}`]),
  ];
}
