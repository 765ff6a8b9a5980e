/**
 * Recordings that do not come through, by test name, each with its reason. At most 2 in a hundred may stand here; an
 * entry that starts to pass makes its test fail, so that the list stays true.
 */
const abbreviated = "the recorded deltas do not add up to the recorded text: the source shortened them";

const joined = "passes through unchanged; the recording joins two answers into one stream, which the SDK refuses";

export const knownFailures: Readonly<Record<string, string>> = {
  "chat-completions/mistral-stream-reasoning -> chat-completions":
    "passes through unchanged; the SDK cannot read this server's content lists",
  "chat-completions/snowflake-stream-stream-cut -> chat-completions":
    "passes through unchanged; the recorded stream names no finish reason, which the SDK demands",
  "messages/stream-programmatic-tool-calling-server-code-execution-tool-call-unicode -> messages": joined,
  "messages/stream-server-tool-search-bm25-parallel-tool-calls -> messages": joined,
  "responses/stream-server-apply-patch -> responses":
    "passes through unchanged; the SDK's stream helper does not know the recorded event types",
  "responses/stream-server-shell-text -> chat-completions": abbreviated,
  "responses/stream-server-shell-text -> messages": abbreviated,
  "responses/stream-server-shell-text -> generate-content": abbreviated,
};
