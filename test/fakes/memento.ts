/** Stands for the small store that VS Code gives an extension. */
export class FakeMemento {
  readonly #values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.#values.get(key);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, structuredClone(value));
  }
}
