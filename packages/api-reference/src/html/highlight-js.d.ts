// The types that highlight.js brings pull the whole DOM library into every program that imports them, where code of the
// server could then use `document` without a complaint.

declare module 'highlight.js/lib/core' {
  interface Highlighter {
    registerLanguage(name: string, language: unknown): void;
    registerAliases(aliases: string[], options: { languageName: string }): void;
    getLanguage(name: string): object | undefined;
    highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  }
  const highlighter: Highlighter;
  // biome-ignore lint/style/noDefaultExport: describes the export of the library
  export default highlighter;
}

declare module 'highlight.js/lib/languages/*' {
  const language: unknown;
  // biome-ignore lint/style/noDefaultExport: describes the export of the library
  export default language;
}
