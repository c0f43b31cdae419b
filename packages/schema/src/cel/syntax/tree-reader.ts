import type { ASTNode, ParseError } from "@marcbachmann/cel-js";

import { type CelNode, type MessageField, qualifiedName } from "../expressions/expression-tree.ts";
import { CelUint } from "../values/cel-value.ts";
import { expandBinding, expandMacro, type MacroCall } from "./expand-macro.ts";
import type { NormalizedSource } from "./normalized-source.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import { TreeBuilder } from "./tree-builder.ts";

/** Tells names with dots from fields and methods: `net.IP` is a type, `sets.contains` a function. */
export interface QualifiedNames {
  readonly isFunction: (name: string) => boolean;
  readonly isType: (name: string) => boolean;
  /** Whether `cel.bind` is a macro. */
  readonly hasBindings?: boolean;
}

type NodeOf<Op extends ASTNode["op"]> = Extract<ASTNode, { readonly op: Op }>;

const OPERATORS: Readonly<Record<string, string>> = {
  "==": "_==_",
  "!=": "_!=_",
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "+": "_+_",
  "-": "_-_",
  "*": "_*_",
  "/": "_/_",
  "%": "_%_",
  "&&": "_&&_",
  "||": "_||_",
  in: "@in",
};

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

interface TreeReaderOptions {
  readonly source: NormalizedSource;
  readonly original: string;
  readonly toCodePoints: (index: number) => number;
  readonly names: QualifiedNames;
}

/** Turns the library's nodes into ours, with the offsets that a server reports. */
export class TreeReader {
  readonly #build = new TreeBuilder();
  readonly #source: NormalizedSource;
  readonly #original: string;
  readonly #toCodePoints: (index: number) => number;
  readonly #names: QualifiedNames;
  /** Literals with the sign before them, by the place of the sign. */
  readonly #signs = new Map<ASTNode, number>();

  constructor({ source, original, toCodePoints, names }: TreeReaderOptions) {
    this.#source = source;
    this.#original = original;
    this.#toCodePoints = toCodePoints;
    this.#names = names;
  }

  read(node: ASTNode): CelNode {
    switch (node.op) {
      case "value":
        return this.#readLiteral(node);
      case "id":
        return this.#build.ident(this.#place(node.start), node.args);
      case ".":
        return this.#readSelect(node);
      case ".?": {
        const operand = this.read(node.args[0]);
        const offset = this.#offsetOf(node);
        return this.#build.call(offset, "_?._", operand, this.#build.literal(this.#place(node.pos), node.args[1]));
      }
      case "[]":
      case "[?]": {
        const name = node.op === "[]" ? "_[_]" : "_[?_]";
        return this.#build.call(this.#offsetOf(node), name, this.read(node.args[0]), this.read(node.args[1]));
      }
      case "call":
        return this.#readCall(node, node.args[0], undefined, node.args[1]);
      case "rcall":
        return this.#readMessage(node) ?? this.#readCall(node, node.args[0], node.args[1], node.args[2]);
      case "list":
        return this.#readList(node);
      case "map":
        return this.#readMap(node);
      case "?:":
        return this.#readConditional(node);
      case "!_":
      case "-_":
        return this.#readUnary(node);
      case "&&":
      case "||":
        return this.#readLogic(node);
      default: {
        const [left, right] = node.args;
        return this.#build.call(this.#offsetOf(node), OPERATORS[node.op] ?? node.op, this.read(left), this.read(right));
      }
    }
  }

  /** Returns where the library stumbled, in code points. */
  offsetOfError(error: ParseError): number {
    const { node } = error;
    return isNode(node) ? this.#offsetOf(node) : this.#place(error.range?.start ?? 0);
  }

  // Where a server sees a node: most often at the sign between its parts.
  #offsetOf(node: ASTNode): number {
    switch (node.op) {
      case "value":
      case "id":
      case "list":
      case "map":
      case "!_":
      case "-_":
        return this.#place(node.start);
      case "call":
        return this.#find("(", node.start + node.args[0].length);
      case "rcall":
        return this.#find(
          "(",
          this.#indexOf(node.args[0], this.#indexOf(".", node.args[1].end) + 1) + node.args[0].length,
        );
      case ".":
      case ".?":
        return this.#find(".", node.args[0].end);
      case "[]":
      case "[?]":
        return this.#find("[", node.args[0].end);
      case "?:":
        return this.#find("?", node.args[0].end);
      default:
        return this.#find(node.op, node.args[0].end);
    }
  }

  #find(token: string, from: number): number {
    return this.#place(this.#indexOf(token, from));
  }

  // Between two parts of a node there is nothing but its sign, closing parentheses, space and comments.
  #indexOf(token: string, from: number): number {
    const gap = /(?:[\s)]|\/\/[^\n]*(?:\n|$))*/y;
    gap.lastIndex = from;
    const end = from + (gap.exec(this.#source.text)?.[0].length ?? 0);
    return this.#source.text.startsWith(token, end) ? end : from;
  }

  #place(index: number): number {
    return this.#toCodePoints(this.#source.originOf(index));
  }

  #readLiteral(node: NodeOf<"value">): CelNode {
    const value = node.args;
    const sign = this.#signs.get(node);
    const offset = this.#place(sign ?? node.start);
    if (value instanceof Uint8Array || this.#source.isRawBytes(node.start)) {
      const start = this.#source.originOf(node.start - (value instanceof Uint8Array ? 0 : 1));
      return this.#build.literal(
        offset,
        decodeBytesLiteral(this.#original.slice(start, this.#source.originOf(node.end))),
      );
    }
    if (typeof value === "bigint")
      return this.#build.literal(offset, this.#int(sign === undefined ? value : -value, offset));
    if (typeof value === "number") return this.#build.literal(offset, sign === undefined ? value : -value);
    if (value === null || typeof value !== "object") return this.#build.literal(offset, value);
    const unsigned = value.valueOf();
    if (unsigned > MAX_UINT) throw new CelSyntaxError("invalid uint literal", offset);
    return this.#build.literal(offset, new CelUint(unsigned));
  }

  #int(value: bigint, offset: number): bigint {
    if (value > MAX_INT || value < -MAX_INT - 1n) throw new CelSyntaxError("invalid int literal", offset);
    return value;
  }

  // A chain of one operator becomes a balanced tree: a server builds one, and a long chain stays flat.
  #readLogic(node: NodeOf<"&&"> | NodeOf<"||">): CelNode {
    const terms: CelNode[] = [];
    const offsets: number[] = [];
    let first: ASTNode = node;
    while (first.op === node.op) {
      offsets.unshift(this.#offsetOf(first));
      terms.unshift(this.read(first.args[1]));
      first = first.args[0];
    }
    terms.unshift(this.read(first));
    return this.#balance(OPERATORS[node.op] ?? node.op, terms, offsets);
  }

  #balance(name: string, terms: readonly CelNode[], offsets: readonly number[]): CelNode {
    const [only] = terms;
    if (only !== undefined && terms.length === 1) return only;
    const middle = Math.ceil((offsets.length - 1) / 2);
    const left = this.#balance(name, terms.slice(0, middle + 1), offsets.slice(0, middle));
    const right = this.#balance(name, terms.slice(middle + 1), offsets.slice(middle + 1));
    return this.#build.call(offsets[middle] ?? 0, name, left, right);
  }

  #readSelect(node: NodeOf<".">): CelNode {
    const [operand, field] = [this.read(node.args[0]), node.args[1]];
    const name = `${qualifiedName(operand) ?? ""}.${field}`;
    const offset = this.#offsetOf(node);
    return this.#names.isType(name) ? this.#build.ident(offset, name) : this.#build.select(offset, operand, field);
  }

  #readCall(node: ASTNode, name: string, target: ASTNode | undefined, args: readonly ASTNode[]): CelNode {
    const offset = this.#offsetOf(node);
    const targetNode = target && this.read(target);
    const argNodes = args.map((arg) => this.read(arg));
    const call = { name, target: targetNode, args: argNodes, offset };
    const binding = this.#names.hasBindings === true ? expandBinding(this.#build, call) : undefined;
    const expanded = binding ?? this.#expandMacro(call);
    if (expanded !== undefined) return expanded;
    if (targetNode === undefined) return this.#build.call(offset, name, ...argNodes);
    const qualified = `${qualifiedName(targetNode) ?? ""}.${name}`;
    if (this.#names.isFunction(qualified)) return this.#build.call(offset, qualified, ...argNodes);
    return this.#build.memberCall(offset, name, targetNode, ...argNodes);
  }

  // The macro and the function that it expands to are of the same library.
  #expandMacro(call: MacroCall): CelNode | undefined {
    const isKnown = call.name !== "sortBy" || this.#names.isFunction("@sortByAssociatedKeys");
    return isKnown ? expandMacro(this.#build, call) : undefined;
  }

  #readList(node: NodeOf<"list">): CelNode {
    const optional = new Set<number>();
    let from = node.start;
    const elements = node.args.map((element, index) => {
      if (this.#source.hasOptionalMark(from, element.start)) optional.add(index);
      from = element.end;
      return this.read(element);
    });
    return this.#build.list(this.#place(node.start), elements, optional);
  }

  // The normalized source has the fields of a message as a map, which is the argument of a method.
  #readMessage(node: NodeOf<"rcall">): CelNode | undefined {
    const [, target, [map]] = node.args;
    if (map?.op !== "map" || !this.#source.isMessage(map.start)) return undefined;
    let from = map.start;
    const fields = map.args.map(([key, value]): MessageField => {
      const isOptional = this.#source.hasOptionalMark(from, key.start);
      from = value.end;
      const name = key.op === "value" && typeof key.args === "string" ? key.args : "";
      return { name, value: this.read(value), isOptional, offset: this.#find(":", key.end) };
    });
    return this.#build.message(this.#place(map.start), qualifiedName(this.read(target)) ?? "", fields);
  }

  #readMap(node: NodeOf<"map">): CelNode {
    let from = node.start;
    const entries = node.args.map(([key, value]) => {
      const isOptional = this.#source.hasOptionalMark(from, key.start);
      from = value.end;
      return { key: this.read(key), value: this.read(value), isOptional };
    });
    return this.#build.map(this.#place(node.start), entries);
  }

  #readConditional(node: NodeOf<"?:">): CelNode {
    const [condition, consequent, alternate] = node.args;
    const isBare = consequent.op === "?:" && this.#source.text.startsWith(":", this.#skipSpace(consequent.end));
    if (isBare)
      throw new CelSyntaxError("Syntax error: mismatched input '?' expecting ':'", this.#offsetOf(consequent));
    return this.#build.call(
      this.#offsetOf(node),
      "_?_:_",
      this.read(condition),
      this.read(consequent),
      this.read(alternate),
    );
  }

  #skipSpace(from: number): number {
    const gap = /(?:\s|\/\/[^\n]*(?:\n|$))*/y;
    gap.lastIndex = from;
    return from + (gap.exec(this.#source.text)?.[0].length ?? 0);
  }

  // Signs in pairs cancel out; one minus before a number belongs to the number.
  #readUnary(node: NodeOf<"!_"> | NodeOf<"-_">): CelNode {
    const offset = this.#place(node.start);
    const { operand, count } = this.#signsBefore(node);
    if (count === 1 && node.op === "-_" && this.#takeSign(node)) return this.read(operand);
    return count % 2 === 0 ? this.read(operand) : this.#build.call(offset, node.op, this.read(operand));
  }

  #signsBefore(node: NodeOf<"!_"> | NodeOf<"-_">): { readonly operand: ASTNode; readonly count: number } {
    let count = 1;
    let last: NodeOf<"!_"> | NodeOf<"-_"> = node;
    for (
      let inner = last.args;
      inner.op === node.op && this.#skipSpace(last.start + 1) === inner.start;
      inner = last.args
    ) {
      last = inner;
      count++;
    }
    return { operand: last.args, count };
  }

  #takeSign(node: NodeOf<"-_">): boolean {
    const first = firstOf(node.args);
    const isNumber = first.op === "value" && (typeof first.args === "bigint" || typeof first.args === "number");
    if (!isNumber || this.#skipSpace(node.start + 1) !== first.start) return false;
    this.#signs.set(first, node.start);
    return true;
  }
}

function isNode(node: ParseError["node"]): node is ASTNode {
  return node !== undefined && "op" in node;
}

// The operand at the left end of a chain of fields, indices and methods.
function firstOf(node: ASTNode): ASTNode {
  switch (node.op) {
    case ".":
    case ".?":
    case "[]":
    case "[?]":
      return firstOf(node.args[0]);
    case "rcall":
      return firstOf(node.args[1]);
    default:
      return node;
  }
}

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads the bytes of a literal, its prefix and quotes included; a text stands for its UTF-8, an escape for one byte. */
function decodeBytesLiteral(literal: string): Uint8Array {
  const { prefix = "", quote = "" } = /^(?<prefix>[bBrR]+)(?<quote>"""|'''|"|')/.exec(literal)?.groups ?? {};
  const body = literal.slice(prefix.length + quote.length, literal.length - quote.length);
  if (/r/i.test(prefix)) return new TextEncoder().encode(body);
  const bytes: number[] = [];
  for (const [part] of body.matchAll(/\\(?:[xX][0-9a-fA-F]{2}|[0-7]{3}|[^])|[^\\]+/g)) {
    if (part.startsWith("\\")) bytes.push(escapedByte(part.slice(1)));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return Uint8Array.from(bytes);
}

function escapedByte(escape: string): number {
  if (/^[xX]/.test(escape)) return Number.parseInt(escape.slice(1), 16);
  if (/^[0-7]/.test(escape)) return Number.parseInt(escape, 8);
  return SIMPLE_ESCAPES[escape] ?? escape.charCodeAt(0);
}
