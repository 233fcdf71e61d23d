import { type Html, html, trusted } from './html.ts';
import { introduction } from './introduction.ts';
import { textAt } from './json-schema.ts';
import { navigation } from './navigation.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { groupOperations, type OperationGroup } from './operation-groups.ts';
import { operationSection } from './operation-section.ts';
import { prose } from './prose.ts';
import { styles } from './styles.ts';

/** The reference as one page of HTML that needs nothing else. */
export function renderReferencePage(document: OpenApiDocument): string {
  const title = textAt(document.info, 'title');
  const groups = groupOperations(document);
  const list = navigation(groups);
  // The list stands twice, and the style sheet shows one of the two: without a script, one list cannot be open on
  // wide screens and closed on narrow ones.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${textAt(document.info, 'summary')}">
<title>${title} API reference</title>
<style>${trusted(styles)}</style>
</head>
<body>
<a class="skip" href="#page-main">Skip to the reference</a>
<div class="side">
<p class="brand">${title} <span>API reference</span></p>
${list}
</div>
<details class="menu" id="page-contents">
<summary>Contents</summary>
${list}
</details>
<main id="page-main">
${introduction(document)}
${groups.map((group) => groupSection(document, group))}</main>
<a class="back" href="#page-contents">Contents</a>
</body>
</html>
`.toString();
}

function groupSection(
  document: OpenApiDocument,
  { id, name, description, operations }: OperationGroup,
): Html {
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<header class="group-title">
<h2 id="${id}-title">${name}</h2>
${prose(description)}
</header>
${operations.map((operation) => operationSection(document, operation))}</section>
`;
}
