/** A map that gives up its oldest entry rather than grow beyond its bound. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #bound: number;

  constructor(bound: number) {
    super();
    this.#bound = bound;
  }

  override set(key: Key, value: Value): this {
    if (!this.has(key) && this.size >= this.#bound) {
      const oldest = this.keys().next();
      if (!oldest.done) this.delete(oldest.value);
    }
    return super.set(key, value);
  }
}
