/** How things look: type, links, badges, tables, panels. */
export const contentStyles = `
p, ul, dl, dd, h1, h2, h3, h4, figure, pre { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
h1, h2, h3, h4 { color: var(--strong); line-height: 1.25; text-wrap: balance; }
code, pre {
  font-family: ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, monospace;
  font-variant-ligatures: none;
}
code { font-size: 0.86em; }
p code, li code, td code {
  padding: 0.1em 0.3em; border-radius: 0.3rem; background: var(--panel); color: var(--strong);
  overflow-wrap: anywhere;
}

.brand { padding: 0 0.75rem 1.5rem; color: var(--strong); font-weight: 650; letter-spacing: -0.01em; }
.brand span { color: var(--quiet); font-weight: 400; }
nav { font-size: 0.84375rem; line-height: 1.4; }
nav a {
  display: flex; align-items: baseline; justify-content: space-between; gap: 0.75rem;
  padding: 0.3125rem 0.75rem; border-radius: 0.375rem; color: var(--text); text-decoration: none;
}
nav a:hover { background: var(--panel); color: var(--strong); }
nav a.group {
  margin-top: 1.25rem; color: var(--quiet); font-size: 0.71875rem; font-weight: 600; letter-spacing: 0.06em;
  text-transform: uppercase;
}
nav .groups > li:first-child a.group { margin-top: 0; }
/* Where browsers know how: the entry of what is being read. */
.side .groups { scroll-target-group: auto; }
.side nav a:target-current { background: var(--accent-ground); color: var(--accent); }
.menu summary {
  padding: 0.875rem 1.25rem; color: var(--strong); font-size: 0.875rem; font-weight: 600; cursor: pointer;
}

.method {
  flex: none; padding: 0.15em 0.5em; border-radius: 0.3rem; font: 600 0.6875rem/1.4 ui-monospace, 'SF Mono',
  'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, monospace; letter-spacing: 0.02em;
  background: var(--panel); color: var(--quiet);
}
nav .method { padding: 0; background: none; font-size: 0.625rem; }
.get { color: var(--get); background: var(--get-ground); }
.post { color: var(--post); background: var(--post-ground); }
.patch, .put { color: var(--patch); background: var(--patch-ground); }
.delete { color: var(--delete); background: var(--delete-ground); }

.title { padding: 4rem 0 1rem; }
h1 { font-size: 2.25rem; font-weight: 680; letter-spacing: -0.025em; }
.version {
  padding: 0.2rem 0.6rem; border: 1px solid var(--line-strong); border-radius: 2rem; color: var(--quiet);
  font-size: 0.8125rem; font-weight: 500; letter-spacing: 0; vertical-align: 0.4em;
}
.tagline { margin-top: 0.5rem; color: var(--quiet); font-size: 1.125rem; }
.topic { padding: 2rem 0; }
.topic h2 { margin-bottom: 0.875rem; font-size: 1.25rem; font-weight: 620; letter-spacing: -0.012em; }
.topic p + p, .lead p + p { margin-top: 0.75rem; }
.lines li { position: relative; padding-left: 1.125rem; }
.lines code { white-space: nowrap; }
.lines li + li { margin-top: 0.625rem; }
.lines li::before {
  content: ''; position: absolute; left: 0; top: 0.65em; width: 0.375rem; height: 0.375rem;
  border-radius: 50%;
  background: var(--line-strong);
}
.servers { border: 1px solid var(--line); border-radius: 0.625rem; background: var(--panel); }
.servers div { padding: 0.75rem 1rem; }
.servers div + div { border-top: 1px solid var(--line); }
.servers dt { color: var(--quiet); font-size: 0.75rem; }
.servers dd { color: var(--strong); overflow-wrap: anywhere; }

.group-title { padding: 4.5rem 0 0; }
.group-title h2 { font-size: 1.75rem; font-weight: 660; letter-spacing: -0.02em; }
.group-title p { margin-top: 0.375rem; color: var(--quiet); max-width: 46rem; }
.operation { padding: 3rem 0; border-bottom: 1px solid var(--line); }
.operation:last-child { border-bottom: 0; }
.operation > header { margin-bottom: 1.5rem; }
h3 { font-size: 1.3125rem; font-weight: 630; letter-spacing: -0.014em; }
h3 a { color: inherit; text-decoration: none; }
h3 a::after { content: ' #'; color: var(--quiet); font-weight: 400; opacity: 0; }
h3 a:hover::after, h3 a:focus-visible::after, :target > header h3 a::after { opacity: 1; }
.address { margin-top: 0.75rem; }
.address code { padding: 0; background: none; color: var(--strong); font-size: 0.875rem; }
.address .method { margin-right: 0.375rem; }
.access { margin-top: 0.5rem; color: var(--quiet); font-size: 0.8125rem; }
.access::before {
  content: ''; display: inline-block; width: 0.4375rem; height: 0.4375rem; margin-right: 0.5rem;
  border-radius: 50%;
  background: var(--accent); vertical-align: 0.08em;
}
.access.open::before { background: none; box-shadow: inset 0 0 0 1.5px var(--quiet); }
.lead { margin-bottom: 2rem; }
.part + .part { margin-top: 2.25rem; }
h4 {
  padding-bottom: 0.625rem; border-bottom: 1px solid var(--line); font-size: 0.8125rem; font-weight: 620;
}
.part > .facts { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
h4 .aside { margin-left: 0.375rem; color: var(--quiet); font-weight: 400; }
.note { margin-top: 0.75rem; color: var(--quiet); font-size: 0.84375rem; }

table { width: 100%; border-collapse: collapse; position: relative; font-size: 0.875rem; line-height: 1.5; }
th, td { padding: 0.6875rem 0; text-align: left; vertical-align: top; font-weight: 400; }
tbody tr + tr { border-top: 1px solid var(--line); }
.fields th { width: 42%; padding-right: 1.25rem; }
.fields th code { color: var(--strong); font-size: 0.8125rem; font-weight: 600; overflow-wrap: anywhere; }
.fields th .parent { color: var(--quiet); font-size: 0.75rem; font-weight: 400; }
.presence { display: block; color: var(--quiet); font-size: 0.75rem; }
.presence.required { color: var(--required); }
.facts { color: var(--quiet); font-size: 0.8125rem; line-height: 1.3125rem; }
.facts code, .allowed code { font-size: 0.75rem; }
.type, .fact { margin-right: 0.5rem; }
.fact { display: inline-block; max-width: 100%; }
td p + p { margin-top: 0.125rem; }
.allowed { margin-top: 0.3125rem; color: var(--quiet); font-size: 0.8125rem; line-height: 1.9; }
.errors th { width: 4.5rem; }
.errors th, .errors td { padding: 0.4375rem 0; }
.errors th code { color: var(--quiet); font-size: 0.8125rem; }
.errors tbody tr + tr { border-top: 0; }
.errors tr:first-child > * { padding-top: 0.75rem; }

.panel { border: 1px solid var(--line); border-radius: 0.625rem; background: var(--panel); overflow: hidden; }
.panel figcaption {
  flex: none; padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); color: var(--quiet);
  font-size: 0.75rem;
  font-weight: 550;
}
.panel pre {
  overflow: auto; padding: 0.875rem 1rem; color: var(--text); font-size: 0.75rem; line-height: 1.7;
  tab-size: 2;
  scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent;
}
.panel pre:focus-visible { outline-offset: -2px; border-radius: 0.625rem; }
.panel code { font-size: inherit; }
.panel.wrapped pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.variable { color: var(--accent); }
.wrapped .variable { white-space: nowrap; }
.json-name { color: var(--json-name); }
.json-string { color: var(--json-string); }
.json-number { color: var(--json-number); }
.json-word { color: var(--json-word); }
`;
