/** A text about something that holds for every operation, shown before them. */
export interface Topic {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Its code blocks are shown beside the text; the words after a block's language are its title. */
  readonly markdown: string;
}

/** A document of its own beside the reference. */
export interface Guide {
  /** The last part of its address, and the name of its file without `.md`. */
  readonly name: string;
  readonly title: string;
  /** One sentence for lists of guides; Markdown. */
  readonly description: string;
  readonly markdown: string;
}
