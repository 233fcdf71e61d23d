/** Gives every heading of a page an id as GitHub does, so that links between documents work there and here. */
export class HeadingIds {
  readonly #taken = new Set<string>();

  /** The id for a heading of this text, the first of them without a number. */
  make(text: string): string {
    const base = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let id = base;
    for (let count = 1; this.#taken.has(id); count += 1) id = `${base}-${count}`;
    this.#taken.add(id);
    return id;
  }

  /** Takes an id as it is; false where it is taken already. */
  claim(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }
}
