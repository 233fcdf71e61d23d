/** A message of a stream of Server-Sent Events. */
export interface ServerSentEvent {
  /** The id of this message or, if it has none, of the last one that had one. */
  readonly id: string;
  /** Empty if the message only sets the id. */
  readonly data: string;
}

/** Parses a stream of Server-Sent Events. Comments and event types are left out. */
export class ServerSentEventParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #id = '';
  #data: string[] = [];
  #hasFields = false;

  /** Returns the messages that this chunk completes. */
  parse(chunk: Uint8Array): ServerSentEvent[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line !== '') {
        this.#readField(line);
      } else if (this.#hasFields) {
        events.push({ id: this.#id, data: this.#data.join('\n') });
        this.#data = [];
        this.#hasFields = false;
      }
    }
    return events;
  }

  #readField(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    else return;
    this.#hasFields = true;
  }
}
