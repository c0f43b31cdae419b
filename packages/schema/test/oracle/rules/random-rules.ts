/** Makes rules from the parts of a schema, the same for the same seed; they nest macros, conditions and operators as people rarely do. */
export function randomRules(
  parts: RuleParts,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly string[] {
  const maker = new RuleMaker(parts, seed);
  return Array.from({ length: count }, (_, index) => maker.bool(1 + (index % 3)));
}

/** Expressions of each type to begin with. */
export interface RuleParts {
  readonly bools: readonly string[];
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  readonly ints: readonly string[];
}

class RuleMaker {
  readonly #parts: RuleParts;
  #state: number;
  #names = 0;

  constructor(parts: RuleParts, seed: number) {
    this.#parts = parts;
    this.#state = seed;
  }

  bool(depth: number): string {
    if (depth <= 0) {
      return this.#one([
        () => this.#of(this.#parts.bools),
        () => `${this.text(0)} == ${this.text(0)}`,
        () => `${this.int(0)} < ${this.int(0)}`,
        () => `${this.text(0)}.contains(${this.text(0)})`,
      ]);
    }
    const name = this.#name();
    const below = depth - 1;
    return this.#one([
      () => `(${this.bool(below)}) && (${this.bool(below)})`,
      () => `(${this.bool(below)}) || (${this.bool(below)})`,
      () => `(${this.bool(below)}) ? (${this.bool(below)}) : (${this.bool(below)})`,
      () => `!(${this.bool(below)})`,
      () => `${this.list(below)}.all(${name}, ${name} == ${this.text(below)} || (${this.bool(below)}))`,
      () => `${this.list(below)}.exists(${name}, ${name}.startsWith(${this.text(below)}))`,
      () => `${this.list(below)}.exists_one(${name}, ${name}.matches(${this.text(0)}))`,
      () => `${this.text(below)}.matches('^a+$')`,
      () => `${this.text(below)} in ${this.list(below)}`,
      () => `${this.list(below)} == ${this.list(below)}`,
      () => `self.items.all(${name}, ${name}.name == ${this.text(below)} || ${this.int(0)} < ${name}.value)`,
      () => `self.labels.all(k${name}, ${name}, ${name} == k${name} + ${this.text(below)})`,
      () => `${this.int(below)} == ${this.int(below)}`,
      () => `${this.int(below)} > ${this.int(below)}`,
    ]);
  }

  text(depth: number): string {
    const below = depth - 1;
    return depth <= 0
      ? this.#of(this.#parts.texts)
      : this.#one([
          () => `(${this.text(below)} + ${this.text(below)})`,
          () => `${this.text(below)}.replace(${this.text(0)}, ${this.text(0)})`,
          () => `((${this.bool(below)}) ? ${this.text(below)} : ${this.text(below)})`,
          () => `${this.list(below)}.join(${this.text(0)})`,
          () => `${this.list(below)}[0]`,
          () => `${this.text(below)}.substring(1)`,
          () => `${this.text(below)}.find('l+')`,
          () => `self.?item.optMap(o, o.name + ${this.text(below)}).orValue('')`,
        ]);
  }

  list(depth: number): string {
    const name = this.#name();
    const below = depth - 1;
    return depth <= 0
      ? this.#of(this.#parts.lists)
      : this.#one([
          () => `${this.list(below)}.map(${name}, ${name} + ${this.text(below)})`,
          () => `${this.list(below)}.filter(${name}, ${name}.size() < ${this.int(below)})`,
          () => `(${this.list(below)} + ${this.list(below)})`,
          () => `[${this.text(below)}].reverse()`,
          () => `${this.text(below)}.split(${this.text(0)})`,
          () => `((${this.bool(below)}) ? ${this.list(below)} : ${this.list(below)})`,
          () => `[${this.text(below)}, ${this.text(below)}]`,
          () => `self.items.sortBy(${name}, ${name}.value).map(${name}, ${name}.name)`,
          () => `[${this.list(below)}, ${this.list(below)}].flatten()`,
          () => `self.labels.transformList(k${name}, ${name}, k${name} + ${name})`,
        ]);
  }

  int(depth: number): string {
    const below = depth - 1;
    return depth <= 0
      ? this.#of(this.#parts.ints)
      : this.#one([
          () => `(${this.int(below)} + ${this.int(below)})`,
          () => `${this.text(below)}.size()`,
          () => `${this.list(below)}.size()`,
          () => `((${this.bool(below)}) ? ${this.int(below)} : ${this.int(below)})`,
          () => `${this.text(below)}.indexOf(${this.text(0)})`,
        ]);
  }

  #of(choices: readonly string[]): string {
    return choices[Math.floor(this.#random() * choices.length)] ?? "";
  }

  #one(choices: readonly (() => string)[]): string {
    return choices[Math.floor(this.#random() * choices.length)]?.() ?? "";
  }

  #name(): string {
    this.#names += 1;
    return `v${String(this.#names)}`;
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return this.#state / 0x8000_0000;
  }
}
