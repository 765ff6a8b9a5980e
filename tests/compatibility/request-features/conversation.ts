import { everywhere, holds, type RequestFeature, type Wire } from "./feature.ts";

/** Turns of a conversation. */
export const conversationFeatures: readonly RequestFeature[] = [
  {
    title: "text",
    ask: { "chat-completions": {}, responses: {}, messages: {}, "generate-content": {} },
    seen: everywhere(holds("Hello")),
  },
  {
    title: "system text",
    ask: {
      "chat-completions": {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
      responses: { instructions: "Be brief." },
      messages: { system: "Be brief." },
      "generate-content": { systemInstruction: { parts: [{ text: "Be brief." }] } },
    },
    seen: {
      "chat-completions": (body) =>
        /system|developer/.test(body.messages[0].role) && holds("Be brief.")(body.messages[0]),
      responses: (body) => holds("Be brief.")(body.instructions ?? body.input[0]),
      messages: (body) => holds("Be brief.")(body.system),
      "generate-content": (body) => holds("Be brief.")(body.systemInstruction),
    },
  },
  {
    title: "developer turn",
    ask: {
      "chat-completions": {
        messages: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
      responses: {
        input: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
    },
    seen: everywhere(holds("Be brief.")),
  },
  {
    title: "system turn in mid-conversation",
    ask: {
      "chat-completions": {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "system", content: "Now be brief." },
          { role: "user", content: "Three" },
        ],
      },
      responses: {
        input: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "system", content: "Now be brief." },
          { role: "user", content: "Three" },
        ],
      },
      messages: {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
          { role: "system", content: "Now be brief." },
        ],
      },
    },
    seen: everywhere(holds("Now be brief.")),
  },
  {
    title: "several turns",
    ask: {
      "chat-completions": {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      responses: {
        input: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      messages: {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      "generate-content": {
        contents: [
          { role: "user", parts: [{ text: "One" }] },
          { role: "model", parts: [{ text: "Two" }] },
          { role: "user", parts: [{ text: "Three" }] },
        ],
      },
    },
    seen: {
      "chat-completions": (body) => body.messages.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      responses: (body) => body.input.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      messages: (body) => body.messages.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      "generate-content": (body) => body.contents.map((turn: Wire) => turn.role).join() === "user,model,user",
    },
  },
];

/** An answer that the caller began. */
export const prefilledAnswer: RequestFeature = {
  title: "prefilled answer",
  ask: {
    "chat-completions": {
      messages: [
        { role: "user", content: "Count" },
        { role: "assistant", content: "One, two," },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "Count" },
        { role: "assistant", content: "One, two," },
      ],
    },
    messages: {
      messages: [
        { role: "user", content: "Count" },
        { role: "assistant", content: "One, two," },
      ],
    },
    "generate-content": {
      contents: [
        { role: "user", parts: [{ text: "Count" }] },
        { role: "model", parts: [{ text: "One, two," }] },
      ],
    },
  },
  seen: everywhere(holds("One, two,")),
};

/** A conversation that is kept for the caller: by the gateway, or by a provider of the caller's own protocol. */
export const storedConversation: RequestFeature = {
  title: "stored conversation (previous answer)",
  before: {
    ask: { input: "My town is Oslo.", store: true },
    goesOn: (answer) => ({ previous_response_id: answer.id }),
  },
  ask: { responses: { store: true } },
  seen: {
    ...everywhere(holds("My town is Oslo.")),
    responses: (body) => typeof body.previous_response_id === "string",
  },
};
