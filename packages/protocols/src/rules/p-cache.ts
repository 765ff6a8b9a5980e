import type { JsonObject } from "../canonical/index.ts";
import { absent, without } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type RequestRow, type Row, unsaid } from "./rule.ts";

const mark = { type: "ephemeral" };
const hour = { type: "ephemeral", ttl: "1h" };
const breakpoint = { mode: "explicit" };
const marked = (content: JsonObject[]): JsonObject => ({ messages: [{ role: "user", content }] });
const numbers = ["1", "2", "3", "4", "5", "6"];
const texts = (role: string) => numbers.map((text) => ({ type: role, text }));

const oneMark: RequestRow["asks"] = {
  C: ask("cache_control", marked([{ type: "text", text: "Hi", cache_control: mark }])),
  R: ask("prompt_cache_breakpoint", {
    input: [{ role: "user", content: [{ type: "input_text", text: "Hi", prompt_cache_breakpoint: breakpoint }] }],
  }),
  M: ask("cache_control", marked([{ type: "text", text: "Hi", cache_control: mark }])),
  G: unsaid,
};

const picture = "https://example.com/a.png";

/** P19, P20: what a client says of the upstream's cache of prompts. */
export const cacheRows: readonly Row[] = [
  {
    id: "P19",
    says: "A cache key stays between the two protocols of OpenAI; the others cache without one.",
    kind: "request",
    asks: {
      C: ask("prompt_cache_key", { prompt_cache_key: "k1" }),
      R: ask("prompt_cache_key", { prompt_cache_key: "k1" }),
      M: unsaid,
      G: unsaid,
    },
    becomes: {
      C: kept({ prompt_cache_key: "k1" }),
      R: kept({ prompt_cache_key: "k1" }),
      M: dropped({ prompt_cache_key: absent }),
      G: dropped({ prompt_cache_key: absent }),
    },
  },
  {
    id: "P19",
    says: "A client that marks what to cache, but knows no cache key, gets one that stays the same for its conversation.",
    kind: "request",
    asks: { ...oneMark, C: none("the client can give a key itself"), R: none("the client can give a key itself") },
    becomes: {
      C: kept({ prompt_cache_key: /^[0-9a-f]{32}$/ }, { model: "gpt-4.1" }),
      R: kept({ prompt_cache_key: /^[0-9a-f]{32}$/ }, { model: "gpt-4.1" }),
      G: kept({ prompt_cache_key: absent }),
    },
  },
  {
    id: "P20",
    says: "A mark of what to cache goes by the upstream's own name for it.",
    kind: "request",
    asks: oneMark,
    becomes: {
      C: kept({ messages: [{ content: [{ text: "Hi", prompt_cache_breakpoint: breakpoint }] }] }, { model: "gpt-5.6" }),
      R: kept({ input: [{ content: [{ text: "Hi", prompt_cache_breakpoint: breakpoint }] }] }, { model: "gpt-5.6" }),
      M: kept({ messages: [{ content: [{ text: "Hi", cache_control: mark }] }] }),
      G: kept(without("cache")),
    },
  },
  {
    id: "P20",
    says: "A mark is left out, and nothing is told, for models that cache by themselves and take no marks.",
    kind: "request",
    asks: oneMark,
    becomes: {
      C: kept({ messages: without("cache") }, { model: "gpt-4.1" }),
      R: kept({ input: without("cache") }, { model: "gpt-4.1" }),
      M: kept({ messages: [{ content: [{ text: "Hi", cache_control: mark }] }] }),
      G: kept(without("cache")),
    },
  },
  {
    id: "P20",
    says: "OpenAI's models take marks on texts only; one on an image is left out.",
    kind: "request",
    asks: {
      C: ask("cache_control", marked([{ type: "image_url", image_url: { url: picture }, cache_control: mark }])),
      R: unsaid,
      M: ask("cache_control", marked([{ type: "image", source: { type: "url", url: picture }, cache_control: mark }])),
      G: unsaid,
    },
    becomes: {
      C: kept(
        { messages: [{ content: [{ type: "image_url", prompt_cache_breakpoint: absent }] }] },
        { model: "gpt-5.6" },
      ),
      R: kept(
        { input: [{ content: [{ type: "input_image", prompt_cache_breakpoint: absent }] }] },
        { model: "gpt-5.6" },
      ),
      M: kept({ messages: [{ content: [{ type: "image", cache_control: mark }] }] }),
      G: none("the upstream does not fetch images"),
    },
  },
  {
    id: "P20",
    says: "Of more than four marks the messages protocol gets the latest four.",
    kind: "request",
    asks: {
      C: ask("cache_control", marked(texts("text").map((text) => ({ ...text, cache_control: mark })))),
      R: ask("prompt_cache_breakpoint", {
        input: [
          {
            role: "user",
            content: texts("input_text").map((text) => ({ ...text, prompt_cache_breakpoint: breakpoint })),
          },
        ],
      }),
      M: none("the client's own protocol takes no more than four"),
      G: unsaid,
    },
    becomes: {
      C: kept(
        { messages: [{ content: (value) => count(value, "prompt_cache_breakpoint") === 6 }] },
        { model: "gpt-5.6" },
      ),
      R: kept({ input: [{ content: (value) => count(value, "prompt_cache_breakpoint") === 6 }] }, { model: "gpt-5.6" }),
      M: dropped({
        messages: [
          {
            content: [
              ...numbers.slice(0, 2).map(() => ({ cache_control: absent })),
              ...numbers.slice(2).map(() => ({ cache_control: mark })),
            ],
          },
        ],
      }),
      G: kept(without("cache")),
    },
  },
  {
    id: "P20",
    says: "A mark of one hour behind one of five minutes, which the messages protocol refuses, becomes one of five minutes.",
    kind: "request",
    asks: {
      C: ask(
        "cache_control",
        marked([
          { type: "text", text: "a", cache_control: mark },
          { type: "text", text: "b", cache_control: hour },
        ]),
      ),
      R: unsaid,
      M: none("the client's own protocol refuses it"),
      G: unsaid,
    },
    becomes: {
      R: kept({ input: [{ content: (value) => count(value, "prompt_cache_breakpoint") === 2 }] }, { model: "gpt-5.6" }),
      M: approximated({ messages: [{ content: [{ cache_control: mark }, { cache_control: { ttl: "5m" } }] }] }),
      G: kept(without("cache")),
    },
  },
];

function count(value: unknown, word: string): number {
  return JSON.stringify(value).split(`"${word}"`).length - 1;
}
