/** A refusal that a page of the console shows to its user. */
export class ManagementError extends Error {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** The field of the request that is wrong. */
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { field?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message);
    this.name = "ManagementError";
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** What is not there, and what is not the caller's to see (A7): one answer. */
export function notFound(): ManagementError {
  return new ManagementError(404, "not_found", "There is nothing here.");
}
