/** A client as the reference shows one. */
export const exampleClient = {
  id: '019a8f3e-7c00-7000-8000-000000000401',
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.org',
  phoneCode: '+351',
  phoneCountryCode: 'PT',
  contactNumber: '200 555 010',
  shipping: {
    address1: 'Rua do Exemplo 1',
    address2: '',
    city: 'Lisboa',
    state: 'Lisboa',
    country: 'Portugal',
    countryCode: 'PRT',
    postalCode: '1000-001',
  },
  adminApproval: 'PENDING',
  isKYCVerified: false,
  isActive: true,
  nft: { tokenId: 1001 },
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};

/** What stands beside a list that has only this one client. */
