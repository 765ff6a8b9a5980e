import { type CanonicalRequest, type OpaquePart, refuse } from "../canonical/index.ts";
import type { Report } from "./report.ts";

/**
 * Called by every request encoder whose protocol keeps no state: refuses what points at state that is held elsewhere,
 * because an answer without that history would be wrong (conversion.md 2.1 R1 to R5). What the gateway holds it has put into
 * the request before. A wish to store is told as a loss only where the caller wrote it.
 */
export function refuseStoredState(request: CanonicalRequest, report: Report): void {
  const state = request.state;
  if (state?.previousResponseId !== undefined) {
    refuse(
      "previous_response_id",
      `Previous response with id '${state.previousResponseId.slice(0, 128)}' not found. An answer to go on from must be asked for with 'store': true; else send the whole input.`,
      "previous_response_not_found",
    );
  }
  if (state?.conversation !== undefined) {
    refuse(
      "conversation",
      "'conversation' cannot be used with this model: it keeps no conversations. Send the whole input instead.",
      "unsupported_parameter",
    );
  }
  if (state?.background === true) {
    refuse("background", "'background' cannot be used with this model.", "unsupported_parameter");
  }
  if (state?.truncation === "auto") {
    refuse("truncation", "'truncation' must be 'disabled' with this model.", "unsupported_parameter");
  }
  if (request.extras?.responses?.prompt !== undefined) {
    refuse("prompt", "Stored prompt templates cannot be used with this model.", "unsupported_parameter");
  }
  const reference = findReference(request);
  if (reference) {
    refuse(
      reference.at ?? "input",
      "The item that is referred to is not stored. Send the item itself instead.",
      "unsupported_parameter",
    );
  }
  if (state?.store === true) {
    report.dropped("store", "The answer is not stored: this model's protocol keeps no responses.");
  }
}

function findReference(request: CanonicalRequest): OpaquePart | undefined {
  for (const turn of request.turns) {
    for (const part of turn.parts) if (part.type === "opaque" && part.nativeType === "item_reference") return part;
  }
  return undefined;
}
