import type { Order } from '../generated/types.ts';
import { neutralizeFormulas } from './neutralize-formulas.ts';
import { writeZip } from './zip-archive.ts';

/** A sheet has 1,048,576 rows, and the first one is the header. */
const maxOrders = 1_048_575;

/** Single rows would spend most of the time in the streams. */
const chunkLength = 64 * 1024;

/** Indexes into `cellXfs` of the style sheet below. */
const styles = { header: 1, amount: 2, time: 3 } as const;

/** The XML of a cell without its reference. */
interface Cell {
  readonly attributes: string;
  readonly content: string;
}

/** The same columns in the same order as in the CSV file. */
const columns: readonly { readonly name: string; readonly width: number; cell(order: Order): Cell }[] = [
  { name: 'id', width: 38, cell: ({ id }) => textCell(id) },
  { name: 'invoiceNumber', width: 18, cell: ({ invoiceNumber }) => textCell(invoiceNumber) },
  { name: 'orderStatus', width: 14, cell: ({ orderStatus }) => textCell(orderStatus) },
  { name: 'paymentStatus', width: 14, cell: ({ paymentStatus }) => textCell(paymentStatus) },
  { name: 'adminApproval', width: 14, cell: ({ adminApproval }) => textCell(adminApproval) },
  // The largest amount has fourteen digits, and a double represents fifteen exactly.
  { name: 'totalAmount', width: 14, cell: ({ totalAmount }) => numberCell(totalAmount, styles.amount) },
  { name: 'totalQuantity', width: 14, cell: ({ totalQuantity }) => numberCell(totalQuantity) },
  { name: 'currency', width: 10, cell: ({ currency }) => textCell(currency) },
  { name: 'createdAt', width: 20, cell: ({ createdAt }) => timeCell(createdAt) },
  { name: 'updatedAt', width: 20, cell: ({ updatedAt }) => timeCell(updatedAt) },
  { name: 'clientId', width: 38, cell: ({ client }) => textCell(client.id) },
  { name: 'clientFirstName', width: 18, cell: ({ client }) => textCell(client.firstName) },
  { name: 'clientLastName', width: 18, cell: ({ client }) => textCell(client.lastName) },
  { name: 'clientEmail', width: 28, cell: ({ client }) => textCell(client.email) },
  { name: 'tokenId', width: 10, cell: ({ nft }) => numberCell(nft.tokenId) },
];

/**
 * Writes orders as an Excel workbook with one sheet, in chunks. The sheet is streamed row by row into the archive, so
 * memory use does not grow with the number of orders and progress is visible while the file is written.
 */
export async function* ordersToXlsx(
  orders: AsyncIterable<Order>,
  limit = maxOrders,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  // Some readers expect the content types first. The sheet comes last, because it takes as long as the export.
  const parts = Object.entries(fixedParts).map(([path, content]) => ({ path, content }));
  yield* writeZip([...parts, { path: 'xl/worksheets/sheet1.xml', content: writeSheet(orders, limit) }]);
}

async function* writeSheet(
  orders: AsyncIterable<Order>,
  limit: number,
): AsyncGenerator<string, void, undefined> {
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${xmlHeader}<worksheet xmlns="${schemas}/spreadsheetml/2006/main">` +
    '<sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield writeRow(
    1,
    columns.map(({ name }) => textCell(name, styles.header)),
  );
  let count = 0;
  let rows = '';
  for await (const order of orders) {
    if (++count > limit) {
      throw new RangeError(`A spreadsheet holds at most ${limit} orders`);
    }
    rows += writeRow(
      count + 1,
      columns.map(({ cell }) => cell(order)),
    );
    if (rows.length < chunkLength) continue;
    yield rows;
    rows = '';
  }
  yield `${rows}</sheetData></worksheet>`;
}

/** References such as `B7` are optional in the standard, but not every reader can do without them. */
function writeRow(number: number, cells: readonly Cell[]): string {
  const xml = cells.map(
    ({ attributes, content }, index) =>
      `<c r="${String.fromCharCode(65 + index)}${number}"${attributes}>${content}</c>`,
  );
  return `<row r="${number}">${xml.join('')}</row>`;
}

function textCell(text: string, style?: number): Cell {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters, not even escaped.
  const allowed = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '');
  const escaped = neutralizeFormulas(allowed)
    // `_x0041_` stands for "A" in a workbook: the underscore of a literal one must be escaped.
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return {
    attributes: `${styleAttribute(style)} t="inlineStr"`,
    content: `<is><t xml:space="preserve">${escaped}</t></is>`,
  };
}

function numberCell(value: number | string, style?: number): Cell {
  return { attributes: styleAttribute(style), content: `<v>${value}</v>` };
}

/** Excel counts the days since 1899-12-30. */
function timeCell(isoTime: string): Cell {
  return numberCell(Date.parse(isoTime) / 86_400_000 + 25_569, styles.time);
}

function styleAttribute(style: number | undefined): string {
  return style === undefined ? '' : ` s="${style}"`;
}

const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
const relationships = `${schemas}/officeDocument/2006/relationships`;
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook (ECMA-376) that do not depend on the orders. */
const fixedParts = {
  '[Content_Types].xml':
    `${xmlHeader}<Types xmlns="${schemas}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>` +
    '</Types>',
  '_rels/.rels':
    `${xmlHeader}<Relationships xmlns="${schemas}/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/>` +
    '</Relationships>',
  'xl/workbook.xml':
    `${xmlHeader}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationships}">` +
    '<sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${xmlHeader}<Relationships xmlns="${schemas}/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/>` +
    '</Relationships>',
  'xl/styles.xml':
    `${xmlHeader}<styleSheet xmlns="${schemas}/spreadsheetml/2006/main">` +
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
    '<xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};
