/** The prepared traffic of the benchmark: the same bytes for every proxy in a run. */

const word = "lorem ipsum dolor sit amet consectetur ";

/** A prompt of about this many bytes. */
export function prompt(bytes: number): string {
  return word.repeat(Math.ceil(bytes / word.length)).slice(0, bytes);
}

export const chatRequest = (promptBytes: number, stream: boolean): string =>
  JSON.stringify({
    model: "bench",
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    messages: [{ role: "user", content: prompt(promptBytes) }],
  });

export const messagesRequest = (promptBytes: number, stream: boolean): string =>
  JSON.stringify({
    model: "bench-converted",
    max_tokens: 1024,
    ...(stream ? { stream: true } : {}),
    messages: [{ role: "user", content: prompt(promptBytes) }],
  });

const usage = { prompt_tokens: 200, completion_tokens: 300, total_tokens: 500 };

/** A chat completion of about 1.6 KB. */
export const chatAnswer = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "bench",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: prompt(1300), refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage,
  }),
);

/** A stream of this many deltas, back to back. */
export function chatStream(events: number): Buffer {
  const chunk = (delta: object, finish: string | null) => ({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "bench",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  const frames = [
    chunk({ role: "assistant", content: "" }, null),
    ...Array.from({ length: events }, (_, index) => chunk({ content: `token${index} ` }, null)),
    chunk({}, "stop"),
    // A delta here is about three tokens: what is told must be able to be true.
    {
      ...chunk({}, null),
      choices: [],
      usage: { ...usage, completion_tokens: 3 * events, total_tokens: 200 + 3 * events },
    },
  ];
  return Buffer.from(`${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("")}data: [DONE]\n\n`);
}
