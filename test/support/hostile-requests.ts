/** Bodies that every operation rejects: a name, the body, and the message. */
export const hostileBodies: readonly (readonly [string, string, string])[] = [
  ['text that is no JSON', '{"name":', 'body must be valid JSON'],
  ['a list', '[]', 'body must be an object'],
  ['null', 'null', 'body must be an object'],
  ['a NUL', '{"name":"A\\u0000"}', 'name must not contain NUL or unpaired surrogates'],
  ['half a surrogate pair', '{"name":"\\ud800"}', 'name must not contain NUL or unpaired surrogates'],
  ['__proto__', '{"name":"A","__proto__":{"number":1}}', 'body must not contain the name __proto__'],
  ['a name that stands twice', '{"name":"A","name":"B"}', 'body must not contain the name "name" twice'],
  [
    'nesting without end',
    `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
];

/** Larger than any operation takes. */
export const tooLargeBody = JSON.stringify({ name: 'A'.repeat(10 * 1024 * 1024) });

/** Queries that every list with pages rejects, with the issues of each. */
export const hostilePages: readonly (readonly [string, string])[] = [
  ['take=0', 'take must not be less than 1'],
  ['take=-1', 'take must not be less than 1'],
  ['take=1001', 'take must not be greater than 1000'],
  ['take=1e9', 'take must be an integer number'],
  ['take=1.5', 'take must be an integer number'],
  ['take=', 'take should not be empty'],
  ['take=1&take=2', 'take must not be given more than once'],
  ['limit=1001', 'limit must not be greater than 1000'],
  ['page=0', 'page must not be less than 1'],
  ['page=-1', 'page must not be less than 1'],
  ['page=1&page=2', 'page must not be given more than once'],
  ['page=x', 'page must be an integer number'],
  ['page=', 'page should not be empty'],
  ['page=2147483648', 'page must not be greater than 2147483647'],
  ['page=9007199254740993', 'page must not be greater than 2147483647'],
  ['page=99999999999999999999', 'page must not be greater than 2147483647'],
];

const statuses =
  'status must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
const payments =
  'paymentStatus must be one of the following values: PENDING, PROCESSING, PAID, FAILED, REFUNDED, COMPLETED';
const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
const places = 'searchBy must be one of the following values: clientName, email, invoiceNumber';
const sorts =
  'orderBy must be one of the following values: asc, desc, createdAt, createdAt:asc, createdAt:desc, updatedAt, ' +
  'updatedAt:asc, updatedAt:desc, totalAmount, totalAmount:asc, totalAmount:desc, invoiceNumber, ' +
  'invoiceNumber:asc, invoiceNumber:desc';
const noCursor = 'cursor must be a nextCursor of this list';

/** The same for lists of orders of holders and administrators, with all issues of each. */
export const hostileOrderQueries: readonly (readonly [string, readonly string[]])[] = [
  ...hostilePages.map(([query, sentence]) => [query, [sentence]] as const),
  ['orderBy=newest', [sorts]],
  ['orderBy=%00', [sorts]],
  ['status=pending', [statuses]],
  ['status=PENDING&status=SHIPPED', ['status must not be given more than once']],
  ['paymentStatus=SETTLED', [payments]],
  ['adminApproval=__proto__', [approvals]],
  ['searchBy=phone', [places]],
  [`search=${'a'.repeat(201)}`, ['search must be shorter than or equal to 200 characters']],
  ['search=%00', ['search must not contain NUL or unpaired surrogates']],
  ['search=a&search=b', ['search must not be given more than once']],
  ['startDate=x', ['startDate must be a valid ISO 8601 date string']],
  ['startDate=2026-02-30', ['startDate must be a valid ISO 8601 date string']],
  ['endDate=2026-13-01', ['endDate must be a valid ISO 8601 date string']],
  ['startDate=2026-03-02&endDate=2026-03-01', ['endDate must not be before startDate']],
  ['clientId=7', ['clientId must be a UUID']],
  ['clientId=%00', ['clientId must be a UUID']],
  ['cursor=garbage', [noCursor]],
  ['cursor=W10', [noCursor]],
  [`cursor=${'a'.repeat(501)}`, ['cursor must be shorter than or equal to 500 characters']],
  [
    'page=0&take=1001&status=x&clientId=y',
    [
      'page must not be less than 1',
      'take must not be greater than 1000',
      statuses,
      'clientId must be a UUID',
    ],
  ],
];

/** The same for lists of clients. */
export const hostileClientQueries: readonly (readonly [string, string])[] = [
  ...hostilePages,
  [`search=${'a'.repeat(255)}`, 'search must be shorter than or equal to 254 characters'],
  ['search=a&search=b', 'search must not be given more than once'],
  ['search=%00', 'search must not contain NUL or unpaired surrogates'],
  [
    'adminApproval=verified',
    'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED',
  ],
  ['adminApproval=%00', 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED'],
  ['isActive=1', 'isActive must be one of the following values: true, false'],
  ['isActive=TRUE', 'isActive must be one of the following values: true, false'],
  ['isKYCVerified=yes', 'isKYCVerified must be one of the following values: true, false'],
  ['kyc=1', 'kyc must be one of the following values: true, false'],
  ['status=active', 'status must be one of the following values: ACTIVE, INACTIVE'],
  ['orderBy=newest', 'orderBy must be one of the following values: asc, desc'],
  ['searchBy=phone', 'searchBy must be one of the following values: clientName, email, contactNumber'],
];

/** Digital keys that no filter accepts, with the issue of each. */
export const hostileTokenIds: readonly (readonly [string, string])[] = [
  ['x', 'tokenId must be an integer number'],
  ['-1', 'tokenId must not be less than 0'],
  ['1.5', 'tokenId must be an integer number'],
  ['99999999999999999999', 'tokenId must not be greater than 9999999999999999'],
  ['12345678901234567', 'tokenId must not be greater than 9999999999999999'],
];
