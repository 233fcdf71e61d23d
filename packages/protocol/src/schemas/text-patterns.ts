export interface TextPattern {
  readonly pattern: string;
  /** What a validation issue says about a value that does not match. No message shows a regular expression. */
  readonly issue: string;
  /** The largest number, for a pattern that describes the digits of one. The smallest is 0. */
  readonly maximum?: string;
}

/** Every regular expression that a schema uses. */
export const textPatterns = {
  notBlank: { pattern: '\\S', issue: 'should not be empty' },
  ethereumAddress: { pattern: '^0x[0-9a-fA-F]{40}$', issue: 'must be an Ethereum address' },
  walletPrefix: {
    pattern: '^0x[0-9a-fA-F]{0,40}$',
    issue: 'must be an Ethereum address or the beginning of one',
  },
  hexBytes: { pattern: '^0x(?:[0-9a-fA-F]{2})+$', issue: 'must be hexadecimal bytes that start with 0x' },
  saleIdBytes: { pattern: '^0x[0-9a-f]{32}$', issue: 'must be 16 bytes in hexadecimal' },
  eventId: { pattern: '^evt_[0-9a-v]{29}$', issue: 'must be the id of an event' },
  eventPattern: {
    pattern: '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$',
    issue: 'must be a type of event such as order.created or order.*',
  },
  digits: { pattern: '^\\d+$', issue: 'must consist of digits' },
  tokenId: { pattern: '^\\d{1,16}$', issue: 'must be an integer number', maximum: '9999999999999999' },
  amount: {
    pattern: '^(0|[1-9]\\d{0,9})(\\.\\d{1,2})?$',
    issue: 'must be an amount with at most two decimals, such as 12.50',
    maximum: '9999999999.99',
  },
  cryptoPrice: {
    pattern: '^(0|[1-9]\\d{0,17})(\\.\\d{1,18})?$',
    issue: 'must be a decimal number with at most 18 decimals, such as 1.5',
    maximum: '999999999999999999.999999999999999999',
  },
  currency: { pattern: '^[A-Z]{3}$', issue: 'must be an ISO 4217 currency code' },
  strainTypes: {
    pattern: '^(INDICA|SATIVA|HYBRID)(,(INDICA|SATIVA|HYBRID))*$',
    issue: 'must be INDICA, SATIVA or HYBRID, or several of them separated by commas',
  },
  // Alpha-3 or alpha-2, in any case.
  countryCode: { pattern: '^[A-Za-z]{2,3}$', issue: 'must be an ISO 3166-1 country code' },
  countryCodeOrEmpty: {
    pattern: '^([A-Za-z]{2,3})?$',
    issue: 'must be an ISO 3166-1 country code',
  },
  // A filter may be empty. The days of a month are not checked here; see `parseMoment`.
  momentOrEmpty: {
    pattern:
      '^((\\d{4})-(\\d{2})-(\\d{2})([Tt ](\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?)([Zz]|[+-]\\d{2}:\\d{2})?)?)?$',
    issue: 'must be a valid ISO 8601 date string',
  },
  utcTime: {
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$',
    issue: 'must be a UTC time in ISO 8601, such as 2026-11-15T09:30:00Z',
  },
  keyScope: {
    pattern: '^[a-z][A-Za-z]*:(read|write)$',
    issue: 'must be a scope such as orders:read',
  },
  webAddress: { pattern: '^https?://[^/?#]', issue: 'must be a URL address' },
  signInType: {
    pattern: '^[A-Za-z0-9_-]{1,32}$',
    issue: 'must consist of 1 to 32 letters, digits, hyphens or underscores',
  },
} as const satisfies Record<string, TextPattern>;
