/** Writes the frames of one stream and numbers them: from 0, one more for each frame as written (S40). */
export class FrameWriter {
  #sequence = 0;

  /** `rest`: the event's own fields as JSON text, each with a comma in front. */
  frame(type: string, rest: string): string {
    const sequence = this.#sequence;
    this.#sequence = sequence + 1;
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence}${rest}}\n\n`;
  }
}
