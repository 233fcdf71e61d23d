/** What the pages of administrators say: audit. */
export const texts = {
  auditLog: 'Audit log',
  everyChangeByAdministratorOrProvider: 'Every change by an administrator or a provider, newest first',
  idOfResource: 'Id of the resource',
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
