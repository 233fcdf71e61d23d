/** What the pages of administrators say: audit. */
export const texts = {
  auditLog: 'Audit log',
  everyChangeByAdministratorOrProvider: 'Every change by an administrator or a provider, newest first',
  invoiceClientOrId: 'Invoice, client or id',
  notOneOrderOrClient:
    'This matches no order or client, or several. Type a whole invoice number or e-mail address.',
  kind: 'Kind',
  auditLogCouldNotBeLoaded: 'The audit log could not be loaded',
  noEntries: 'No entries',
  changesByAdministratorsAndProvidersAre: 'Changes by administrators and providers are written down here.',
  provider: (provider: string) => `Provider ${provider}`,
  medicalRecordRead: 'Medical record read',
  field: 'Field',
  before: 'Before',
  after: 'After',
  identityVerified: 'Identity verified',
  yes: 'Yes',
  no: 'No',
};
