/** Whether a model identifier fits an entry of a channel's list; `*` stands for any run of characters. Linear. */
export function matchesModel(pattern: string, model: string): boolean {
  if (!pattern.includes("*")) return pattern === model;
  const pieces = pattern.split("*");
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (!model.startsWith(first) || !model.endsWith(last) || model.length < first.length + last.length) return false;
  let from = first.length;
  const limit = model.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = model.indexOf(piece, from);
    if (at === -1 || at + piece.length > limit) return false;
    from = at + piece.length;
  }
  return true;
}
