/** A text about something that holds for every operation. */
export interface Topic {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /**
   * Its code blocks are shown beside the text; the words after a block's language are its title. Its links lead to files beside
   * the overview, such as `guides/errors.md`.
   */
  readonly markdown: string;
}

/** A document of its own beside the reference. */
export interface Guide {
  /** Its address below the overview, such as `guides/orders`. */
  readonly path: string;
  /** Its file, such as `docs/guides/orders.md`, from which the links of its text lead to other files. */
  readonly source: string;
  readonly title: string;
  /** One sentence for lists of guides; Markdown. */
  readonly description: string;
  readonly markdown: string;
}

/** Guides that are listed together. */
export interface GuideSection {
  readonly title: string;
  readonly guides: readonly Guide[];
}
