import type { Notice } from "../canonical/index.ts";

/** Collects what became of fields that could not be carried as they were. One per conversion. */
export class Report {
  readonly notices: Notice[] = [];

  emulated(field: string, detail: string): void {
    this.notices.push({ field, verdict: "emulated", detail });
  }

  approximated(field: string, detail: string): void {
    this.notices.push({ field, verdict: "approximated", detail });
  }

  dropped(field: string, detail: string): void {
    this.notices.push({ field, verdict: "dropped", detail });
  }
}
