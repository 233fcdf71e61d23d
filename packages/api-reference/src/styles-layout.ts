/** Where things stand: the list at the side, code beside text, the narrow screen, the paper. */
export const layoutStyles = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  display: grid;
  grid-template-columns: 18rem minmax(0, 1fr);
  background: var(--ground);
  color: var(--text);
  font: 0.9375rem/1.6 ui-sans-serif, -apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', Arial,
    sans-serif;
}
.skip {
  position: fixed; z-index: 2; top: 0.75rem; left: 0.75rem; padding: 0.5rem 1rem; border-radius: 0.5rem;
  background: var(--accent); color: var(--ground); transform: translateY(-200%);
}
.skip:focus { transform: none; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

.side {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; overscroll-behavior: contain;
  padding: 1.75rem 1rem 3rem; border-right: 1px solid var(--line); background: var(--side);
  scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent;
}
.menu, .back { display: none; }

main { max-width: 82rem; padding: 0 3.5rem 8rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 3.5rem; }
.text { max-width: 46rem; }
.code { display: flex; flex-direction: column; gap: 1rem; min-width: 0; }
.operation .code { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); }
.code .panel { display: flex; flex-direction: column; min-height: 5.5rem; }
.operation .panel:first-child { flex: none; max-height: 55vh; }

@media (max-width: 75rem) {
  main { padding-inline: 2.5rem; }
  .columns { grid-template-columns: minmax(0, 1fr); gap: 2rem; }
  .code { max-width: 46rem; }
  .operation .code { position: static; max-height: none; }
  .operation .panel:first-child { max-height: none; }
  .panel pre { max-height: 32rem; }
}

@media (max-width: 52rem) {
  body { display: block; }
  .side { display: none; }
  .menu { display: block; border-bottom: 1px solid var(--line); background: var(--side); }
  .menu nav { padding: 0 1rem 1.5rem; }
  main { padding: 0 1.25rem 6rem; }
  .back {
    display: block; position: fixed; right: 1rem; bottom: 1rem; padding: 0.5rem 1rem; border-radius: 2rem;
    border: 1px solid var(--line-strong); background: var(--ground); color: var(--strong);
    font-size: 0.8125rem; font-weight: 550; text-decoration: none; box-shadow: 0 2px 12px rgb(0 0 0 / 0.12);
  }
}

/* Too narrow for two columns of a table: the name stands above. */
@media (max-width: 30rem) {
  .fields tbody, .fields tr, .fields th, .fields td { display: block; width: auto; }
  .fields th { padding-bottom: 0; }
  .fields td { padding-top: 0.125rem; }
  .fields .presence { display: inline; margin-left: 0.375rem; }
}

@media print {
  @page { margin: 18mm 16mm; }
  html { font-size: 80%; }
  body { display: block; }
  .side, .menu, .back, .skip { display: none; }
  main { max-width: none; padding: 0; }
  .columns { display: block; }
  .text, .code { max-width: none; }
  .code { display: block; margin-top: 1.5rem; }
  .operation .code { position: static; max-height: none; }
  .panel { margin-bottom: 1rem; }
  .title, .group-title { padding-top: 0; }
  .panel pre, .operation .panel:first-child { max-height: none; }
  .panel pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  tr, .panel, .operation > header { break-inside: avoid; }
  h2, h3, h4, .operation > header { break-after: avoid; }
}
`;
