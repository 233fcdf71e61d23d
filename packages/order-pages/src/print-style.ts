/** The style sheet of printed pages: a page of A4 or Letter on paper, and a readable column on a screen. */
export const printStyle = `
@page { size: auto; margin: 18mm 16mm; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f5f8; color: #1a1f36; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
main { max-width: 48rem; margin: 2rem auto; padding: 3rem; background: #fff; border: 1px solid #e5e8ee; border-radius: 8px; }
header { display: flex; justify-content: space-between; gap: 2rem; flex-wrap: wrap; margin-bottom: 2rem; }
.seller { margin: 0; font-size: 1.25rem; font-weight: 700; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.1; }
h2 { margin: 0 0 .375rem; color: #5f6780; font-size: .8125rem; font-weight: 600; }
p { margin: 0; overflow-wrap: anywhere; }
dl { margin: 0; }
dl div { display: flex; gap: 1rem; justify-content: space-between; }
dt { color: #5f6780; }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.notice { margin-bottom: 2rem; padding: .625rem .875rem; border-radius: 6px; background: #fdebee; color: #8f1d2f; font-weight: 600; }
.addresses { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin-bottom: 2rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; }
thead th { padding: .5rem 0; border-bottom: 2px solid #1a1f36; font-size: .8125rem; }
td { padding: .5rem 0; border-bottom: 1px solid #e5e8ee; vertical-align: top; overflow-wrap: anywhere; }
th:not(:first-child), td:not(:first-child), tfoot th { text-align: right; }
td:not(:first-child) { padding-left: 1rem; white-space: nowrap; }
tfoot th { padding: .375rem 0; font-weight: 400; }
tfoot td { padding: .375rem 0 .375rem 1rem; border: 0; }
tfoot .total th, tfoot .total td { border-top: 2px solid #1a1f36; font-weight: 700; font-size: 1.125rem; }
tfoot .quiet th, tfoot .quiet td { color: #5f6780; }
.payments { margin-top: 2rem; }
.payments table { max-width: 28rem; }
.due { margin-top: .75rem; font-weight: 700; }
tr { break-inside: avoid; }
@media print {
  body { background: #fff; font-size: 11pt; }
  main { max-width: none; margin: 0; padding: 0; border: 0; border-radius: 0; }
}
`;
