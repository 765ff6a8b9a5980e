import type { ToolCallPart, ToolResultPart, Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/** Which result answers which call. */
export interface Assignment {
  results: Map<ToolCallPart, ToolResultPart>;
  assigned: Set<ToolResultPart>;
  /** New ids of calls whose id was used before (H10). */
  ids: Map<ToolCallPart, string>;
}

/** The calls of one turn that wait for a result. */
type Batch = ToolCallPart[];

/**
 * Pairs results with calls: by id with the nearest earlier turn that waits for it (H10), and a result without an id by
 * its name, else by its place among the calls (H9). A result that finds no call stays unassigned.
 */
export function assignResults(turns: readonly Turn[], report: Report): Assignment {
  const assignment: Assignment = { results: new Map(), assigned: new Set(), ids: new Map() };
  const batches: Batch[] = [];
  const used = new Set<string>();
  for (const turn of turns) {
    if (turn.role === "user") {
      assignTurn(turn, batches, assignment, report);
      continue;
    }
    const batch: Batch = [];
    for (const part of turn.parts) {
      if (part.type !== "tool-call") continue;
      batch.push(part);
      nameApart(part, used, assignment, report);
    }
    if (batch.length > 0) batches.push(batch);
  }
  return assignment;
}

/** Results that name their call go first, so that one without an id cannot take their place. */
function assignTurn(turn: Turn, batches: Batch[], assignment: Assignment, report: Report): void {
  const results = turn.parts.filter((part) => part.type === "tool-result");
  for (const result of results) if (result.callId !== "") take(result, findById(result.callId, batches), assignment);
  for (const result of results) {
    if (result.callId !== "") continue;
    const found = findByPlace(result, batches);
    take(result, found, assignment);
    if (!found) continue;
    report.approximated(
      result.at ?? turn.at ?? "messages",
      `A tool result without an id was taken for the result of '${found.call.name}', by its name or place.`,
    );
  }
}

interface Found {
  call: ToolCallPart;
  batch: Batch;
}

function take(result: ToolResultPart, found: Found | undefined, assignment: Assignment): void {
  if (!found) return;
  found.batch.splice(found.batch.indexOf(found.call), 1);
  assignment.results.set(found.call, result);
  assignment.assigned.add(result);
}

function findById(callId: string, batches: readonly Batch[]): Found | undefined {
  for (let at = batches.length - 1; at >= 0; at -= 1) {
    const batch = batches[at];
    const call = batch?.find((waiting) => waiting.callId === callId);
    if (batch && call) return { call, batch };
  }
  return undefined;
}

/** Only the nearest turn that waits: further back a place says nothing. */
function findByPlace(result: ToolResultPart, batches: readonly Batch[]): Found | undefined {
  const batch = batches.findLast((waiting) => waiting.length > 0);
  const call = result.name === undefined ? batch?.[0] : batch?.find((waiting) => waiting.name === result.name);
  return batch && call ? { call, batch } : undefined;
}

/** The second call of an id gets `_2`, and so on: a function of the place, the same on every replay. */
function nameApart(call: ToolCallPart, used: Set<string>, assignment: Assignment, report: Report): void {
  const base = call.callId === "" ? "call" : call.callId;
  let callId = call.callId === "" ? "call_1" : call.callId;
  for (let count = 2; used.has(callId); count += 1) callId = `${base}_${count}`;
  used.add(callId);
  if (callId === call.callId) return;
  assignment.ids.set(call, callId);
  report.approximated(
    call.at ?? "messages",
    `The tool call id '${call.callId}' occurs twice; this call was sent as '${callId}'.`,
  );
}
