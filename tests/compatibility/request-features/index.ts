import { callerFeatures } from "./caller.ts";
import { conversationFeatures, prefilledAnswer, storedConversation } from "./conversation.ts";
import type { RequestFeature } from "./feature.ts";
import { mediaFeatures } from "./media.ts";
import { outputFeatures } from "./output.ts";
import { reasoningFeatures } from "./reasoning.ts";
import { samplingFeatures } from "./sampling.ts";
import { toolsFeatures, webSearch } from "./tools.ts";

/** Everything that a caller can ask for, in the order of the page. */
export const requestFeatures: readonly RequestFeature[] = [
  ...conversationFeatures,
  ...samplingFeatures,
  ...toolsFeatures,
  ...outputFeatures,
  ...mediaFeatures,
  ...reasoningFeatures,
  ...callerFeatures,
  prefilledAnswer,
  webSearch,
  storedConversation,
];
