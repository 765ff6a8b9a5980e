/** A refusal or failure of the management API. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable, for programs. `network` where no answer came. */
  readonly code: string;
  /** The field of the request that is wrong. */
  readonly field: string | undefined;
  /** To be told to whoever runs the gateway. */
  readonly requestId: string | undefined;

  constructor(status: number, code: string, message: string, more: { field?: string; requestId?: string } = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.requestId = more.requestId;
  }
}

/** Reads `{ error: { code, message, field, request_id } }`; makes something readable of anything else. */
export function apiErrorOf(status: number, body: unknown, requestId: string | null): ApiError {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const fields: Record<string, unknown> = typeof error === "object" && error !== null ? { ...error } : {};
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
  const field = text("field");
  const id = text("request_id") ?? requestId ?? undefined;
  return new ApiError(status, text("code") ?? `http_${status}`, text("message") ?? `The gateway answered ${status}.`, {
    ...(field === undefined ? {} : { field }),
    ...(id === undefined ? {} : { requestId: id }),
  });
}
