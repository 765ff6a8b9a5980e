/** What was asked of the record of calls cannot be answered. The message is one line, written for the one who asked. */
export class CallsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CallsError";
  }
}
