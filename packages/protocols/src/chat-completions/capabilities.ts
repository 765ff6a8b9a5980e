import type { EncodeRequestContext, UpstreamTraits } from "../codec.ts";
import { withOverrides } from "../shared/capabilities.ts";
import { type ChatCapabilities, capabilityKinds, type OptionalField } from "./capability-kinds.ts";
import { factsOfModel } from "./model-facts.ts";
import { serverFacts } from "./server-facts.ts";

export { type ChatCapabilities, capabilityKinds, isOptionalField, type OptionalField } from "./capability-kinds.ts";

/** Whether the upstream may be sent a field. */
export function takes(capabilities: ChatCapabilities, field: OptionalField): boolean {
  return !capabilities.refusedFields.includes(field);
}

/** What the upstream takes: by the model's name and the make of its server, then by what the operator says. */
export function capabilitiesOf(context: EncodeRequestContext): ChatCapabilities {
  const model = factsOfModel(context.model, context.dialect);
  const server = serverFacts[context.dialect ?? model.home];
  const refusedFields = [...model.facts.refusedFields, ...server.refusedFields];
  const known = { ...model.facts, ...server, refusedFields };
  // Templates of models that think in their text take thoughts of earlier turns out themselves.
  const { thoughtsInText = "none" } = context.capabilities ?? {};
  return withOverrides(
    capabilityKinds,
    thoughtsInText === "none" ? known : { ...known, reasoningHistory: "none" },
    context.capabilities,
  );
}

/** See `ProtocolCodec.mustConvert`. Only an operator can know it. */
export function mustConvert({ capabilities }: UpstreamTraits): boolean {
  return capabilities?.thoughtsInText !== undefined && capabilities.thoughtsInText !== "none";
}
