/** How ids of the gateway end (`Platform.id`); the ids of providers are longer or shorter. */
const form = /_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether an id may be one of ours: what a provider made is its own state and is not looked up. */
export function isOwnId(id: unknown): id is string {
  return typeof id === "string" && form.test(id);
}
