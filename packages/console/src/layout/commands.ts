import type { AdminOrder, Client, Keyfront } from '@keyfront/sdk';
import type { IconName } from '../components/icon.tsx';
import { fullName } from '../format/full-name.ts';
import { shortAddress } from '../format/short-address.ts';
import { readHolderSearch } from '../pages/admin/holders/holder-filters.ts';
import { canDecide } from '../pages/admin/orders/order-moves.ts';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import { navigationOf } from './navigation.ts';

/** Something that the palette can do. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
  /** The page that it leads to. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Whether the page opens its form. */
  readonly opensForm?: boolean;
  /** What is asked before anything happens. */
  readonly question?: { readonly kind: 'approve' | 'refund'; readonly order: AdminOrder };
}

type Role = Session['role'];

const formsOf: Readonly<Record<Role, readonly Omit<Command, 'hint' | 'opensForm'>[]>> = {
  holder: [
    { id: 'create-key', label: texts.createKey, icon: 'keys', to: '/keys' },
    { id: 'add-client', label: texts.addClient, icon: 'clients', to: '/clients' },
    { id: 'add-webhook', label: texts.addWebhook, icon: 'webhooks', to: '/webhooks' },
  ],
  administrator: [
    { id: 'add-strain', label: texts.addStrain, icon: 'catalogue', to: '/admin/catalogue' },
    { id: 'add-planet', label: texts.addPlanet, icon: 'planets', to: '/admin/planets' },
  ],
};

/** The pages and the forms of a role whose name has this part. */
export function findPages(role: Role, text: string): Command[] {
  const part = text.trim().toLowerCase();
  const pages = navigationOf(role)
    .flatMap(({ items }) => items)
    .map(({ label, to, icon, search = {} }) => ({
      id: to.replaceAll('/', '-'),
      label,
      hint: texts.page,
      icon,
      to,
      search,
    }));
  const forms = formsOf[role].map((form) => ({ ...form, hint: texts.command, opensForm: true }));
  return [...pages, ...forms].filter(({ label }) => label.toLowerCase().includes(part));
}

/** What is to be done, and the text that names with what: `refund KF-7Q2M` finds the order. */
export interface Request {
  readonly verb: 'open' | 'approve' | 'refund' | null;
  readonly search: string;
}

export function readRequest(text: string): Request {
  const [, verb, search] = /^\s*(open|approve|refund)(?:\s+order)?\s+(.+)$/i.exec(text) ?? [];
  if (verb === undefined || search === undefined) return { verb: null, search: text.trim() };
  return { verb: verb.toLowerCase() as 'open', search: search.trim() };
}

/** What a role finds by typing, and from how many characters on. The number of a digital key may be a single digit. */
export const searches = {
  holder: { minCharacters: 2, find: findOrdersAndClients },
  administrator: { minCharacters: 1, find: findForAdministrator },
};

async function findOrdersAndClients(
  keyfront: Keyfront,
  { search, verb }: Request,
  signal: AbortSignal,
): Promise<Command[]> {
  // Only administrators decide and refund.
  if (verb === 'approve' || verb === 'refund') return [];
  const [{ orders }, { clients }] = await Promise.all([
    keyfront.orders.list({ search, take: 4 }, { signal }),
    keyfront.clients.list({ search, take: 4 }, { signal }),
  ]);
  const [namesakes, others] = splitNamesakes(clients, search);
  return [
    ...namesakes.map((client) => clientCommand(client, '/clients')),
    ...orders.map(({ id, invoiceNumber, client }) => ({
      id,
      label: invoiceNumber,
      hint: fullName(client),
      icon: 'orders' as const,
      to: `/orders/${id}`,
    })),
    ...others.map((client) => clientCommand(client, '/clients')),
  ];
}

type FoundClient = Pick<Client, 'id' | 'firstName' | 'lastName' | 'email'>;

/** The clients who have exactly this name or e-mail address, and the others. Whoever types all of it means them, and no order. */
function splitNamesakes<Found extends FoundClient>(
  clients: readonly Found[],
  search: string,
): [namesakes: Found[], others: Found[]] {
  const name = search.toLowerCase();
  const isNamesake = (client: Found) =>
    fullName(client).toLowerCase() === name || client.email.toLowerCase() === name;
  return [clients.filter(isNamesake), clients.filter((client) => !isNamesake(client))];
}

function clientCommand(client: FoundClient, list: string): Command {
  return {
    id: client.id,
    label: fullName(client),
    hint: client.email,
    icon: 'clients',
    to: `${list}/${client.id}`,
  };
}

async function findForAdministrator(
  keyfront: Keyfront,
  { search, verb }: Request,
  signal: AbortSignal,
): Promise<Command[]> {
  const isOpening = verb === null || verb === 'open';
  const holderSearch = isOpening ? readHolderSearch(search) : null;
  const [{ orders }, { holders }, { clients }] = await Promise.all([
    keyfront.admin.orders.list({ search, take: 4 }, { signal }),
    holderSearch ? keyfront.admin.holders.list({ ...holderSearch, take: 4 }, { signal }) : { holders: [] },
    // A single character is the number of a digital key, rather than a part of a name.
    isOpening && search.length >= searches.holder.minCharacters
      ? keyfront.admin.clients.list({ search, take: 4 }, { signal })
      : { clients: [] },
  ]);
  const [namesakes, others] = splitNamesakes(clients, search);
  return [
    ...holders.map(({ id, walletAddress, tokenIds }) => ({
      id,
      label: shortAddress(walletAddress),
      hint: tokenIds.length === 0 ? texts.noDigitalKey : tokenIds.map((tokenId) => `#${tokenId}`).join(', '),
      icon: 'holders' as const,
      to: `/admin/holders/${id}`,
    })),
    ...namesakes.map((client) => clientCommand(client, '/admin/clients')),
    // Of several orders, only what was asked for: an action on the wrong one is worse than another word to type.
    ...orders.flatMap((order) => orderCommands(order, verb ?? (orders.length === 1 ? 'all' : 'open'))),
    ...others.map((client) => clientCommand(client, '/admin/clients')),
  ];
}

/** What can be done with an order. What the service would refuse is not offered. */
export function orderCommands(order: AdminOrder, verb: 'open' | 'approve' | 'refund' | 'all'): Command[] {
  const { id, invoiceNumber, client, paymentStatus } = order;
  const base = { hint: fullName(client), to: `/admin/orders/${id}` };
  const canRefund = paymentStatus === 'PAID' && order.paidAmount > order.refundedAmount;
  const commands: readonly (Command & { readonly verb: string; readonly isAllowed: boolean })[] = [
    { ...base, verb: 'open', isAllowed: true, id, label: invoiceNumber, icon: 'orders' },
    {
      ...base,
      verb: 'approve',
      isAllowed: canDecide(order, 'VERIFIED'),
      id: `${id}-approve`,
      label: texts.approveInvoiceNumberDialog(invoiceNumber),
      icon: 'check',
      question: { kind: 'approve', order },
    },
    {
      ...base,
      verb: 'refund',
      isAllowed: canRefund,
      id: `${id}-refund`,
      label: texts.refundInvoiceNumberDialog(invoiceNumber),
      icon: 'refund',
      question: { kind: 'refund', order },
    },
  ];
  return commands.filter((command) => command.isAllowed && (verb === 'all' || verb === command.verb));
}
