/** A memory that holds only so many bytes: what was put in first goes first. */
export class ByteLru<Value, Key = string> {
  readonly #kept = new Map<Key, { value: Value; bytes: number }>();
  readonly #most: number;
  #bytes = 0;

  /** @param most bytes that it holds at most */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /** Everything in it, the oldest first. */
  *entries(): Iterable<[Key, Value]> {
    for (const [key, { value }] of this.#kept) yield [key, value];
  }

  /** Puts it in as the newest, in place of what was there; what is larger than all of the memory is not kept. */
  set(key: Key, value: Value, bytes: number): void {
    this.delete(key);
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
