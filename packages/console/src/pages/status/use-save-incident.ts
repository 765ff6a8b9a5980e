import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notifyFailed } from "../../shared/notify.tsx";
import type { Incident } from "./status-query.ts";

/** A change of a note: afterwards the page and the note itself are read anew. */
export function useSaveIncident<Values>(
  save: (values: Values) => Promise<Incident>,
  onSaved: (incident: Incident) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    onError: notifyFailed,
    async onSuccess(incident) {
      queries.setQueryData(["incidents", incident.id], incident);
      await queries.invalidateQueries({ queryKey: ["public", "status"] });
      onSaved(incident);
    },
  });
}
