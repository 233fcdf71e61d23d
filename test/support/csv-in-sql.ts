/**
 * The CSV file of orders as a statement of the database writes it: the same lines as the service, by a second implementation that
 * shares no code with it. Tests compare the bytes of both.
 */
const separators = '[,;|"\\t\\r\\n\\v\\f\\u001c-\\u001f\\u0085\\u2028\\u2029]';
/**
 * White space and characters without a shape, which spreadsheets skip or do not show: the Unicode properties White_Space,
 * Default_Ignorable_Code_Point, Cc and Cf, and the blank Braille pattern. PostgreSQL knows no properties.
 */
const invisible =
  '[\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u1680' +
  '\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0' +
  '\\ufff0-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a' +
  '\\U000e0000-\\U000e0fff]*';
/** Also the minus sign and the full-width and small forms, which some spreadsheets accept. Tab and CR are stripped by some. */
const formulaStart = '[=+@\\t\\r\u2212\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20-]';
const cellStart = `(?:^|${separators})${invisible}`;

/** Composes the SQL of a CSV cell: neutralizes formulas, and quotes a text that contains a separator of any kind. */
export function composeCsvText(column: string): string {
  const neutral = `regexp_replace(${column}, '(?<=${cellStart})(?=${formulaStart})', '''', 'g')`;
  // Most texts have no separator, and can start a formula only at their beginning. One test finds the others, because each
  // regular expression costs about a microsecond for each order.
  return `(CASE WHEN ${column} !~ '${separators}|^${invisible}${formulaStart}' THEN ${column}
    WHEN ${column} ~ '${separators}' THEN '"' || replace(${neutral}, '"', '""') || '"'
    ELSE ${neutral} END)`;
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The SQL of the CSV line of an order, without the line end. */
export const csvLine = [
  'orders.id::text',
  'orders.invoice_number',
  'orders.order_status',
  'orders.payment_status',
  'orders.admin_approval',
  'orders.total_amount::text',
  'orders.total_quantity::text',
  'orders.currency',
  time('orders.created_at'),
  time('orders.updated_at'),
  'orders.client_id::text',
  composeCsvText('clients.first_name'),
  composeCsvText('clients.last_name'),
  composeCsvText('clients.email'),
  'orders.token_id::text',
].join(` || ',' || `);
