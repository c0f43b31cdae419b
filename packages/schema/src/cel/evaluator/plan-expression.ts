import { typeNamed } from "../checker/scope.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import type {
  CallNode,
  CelNode,
  IdentNode,
  ListNode,
  MapNode,
  MessageNode,
  SelectNode,
} from "../expressions/expression-tree.ts";
import { CelArray } from "../values/cel-list.ts";
import { CelDictionary, formatKey } from "../values/cel-map.ts";
import { CelMessage } from "../values/cel-message.ts";
import { CelOptional } from "../values/cel-optional.ts";
import { CelError, type CelValue } from "../values/cel-value.ts";
import { CelTypeValue, runtimeType } from "../values/runtime-type.ts";
import {
  type Attribute,
  type Frame,
  isPending,
  type NodePlanner,
  PlanError,
  type Qualifier,
  type Step,
  type Variables,
} from "./frame.ts";
import { planCall } from "./plan-call.ts";
import { planFold } from "./plan-fold.ts";
import { addQualifier, readAttribute } from "./read-attribute.ts";

/** An expression ready to run. */
export interface Plan {
  readonly step: Step;
}

/** Plans a checked expression; constants are evaluated now. */
export function planExpression(checked: CheckedExpression): Plan {
  return { step: new Planner(checked).plan(checked.root, new Map()) };
}

/** Plans the nodes of one expression. */
class Planner implements NodePlanner {
  readonly checked: CheckedExpression;
  #slots = 0;

  constructor(checked: CheckedExpression) {
    this.checked = checked;
  }

  plan(node: CelNode, variables: Variables): Step {
    switch (node.kind) {
      case "literal":
        return constantStep(node.value);
      case "ident":
        return this.#planName(node, variables);
      case "select":
        return this.#planSelect(node, variables);
      case "call":
        return this.#planCall(node, variables);
      case "list":
        return this.#planList(node, variables);
      case "map":
        return this.#planMap(node, variables);
      case "message":
        return this.#planMessage(node, variables);
      case "comprehension":
        return planFold(this, node, variables);
    }
  }

  newSlot(): number {
    return this.#slots++;
  }

  // The name of a type is a constant; everything else is read.
  #planName(node: IdentNode, variables: Variables): Step {
    const { name } = node;
    const type = variables.has(name) ? undefined : (typeNamed(name) ?? this.#unknownType(node));
    if (type === "unresolved") throw new PlanError(`reference to undefined type: ${name}`);
    return type === undefined ? attributeStep(this.#planIdent(name, variables)) : constantStep(new CelTypeValue(type));
  }

  // The types of messages have names for the checker alone.
  #unknownType(node: IdentNode): "unresolved" | undefined {
    const { kind, parameters } = this.checked.typeOf(node);
    return kind === "type" && parameters[0]?.kind === "struct" ? "unresolved" : undefined;
  }

  #planIdent(name: string, variables: Variables): Attribute {
    const slot = variables.get(name);
    if (slot !== undefined) return chainFrom((frame) => readSlot(frame, slot));
    const missing = new CelError(`no such attribute(s): ${name}`);
    return chainFrom(({ bindings }) => {
      const value = bindings.get(name);
      return value === undefined ? missing : value;
    });
  }

  #planSelect(node: SelectNode, variables: Variables): Step {
    const operand = attributeOf(this.plan(node.operand, variables));
    const qualifier = { key: node.field, isOptional: false, isPresenceTest: node.isPresenceTest };
    const attribute = addQualifier(operand, qualifier);
    return node.isPresenceTest ? presenceStep(attribute) : attributeStep(attribute);
  }

  #planCall(node: CallNode, variables: Variables): Step {
    const parts = node.target === undefined ? node.args : [node.target, ...node.args];
    const args = parts.map((part) => this.plan(part, variables));
    const [first, second, third] = args;
    switch (node.function) {
      case "_?_:_":
        if (first !== undefined && second !== undefined && third !== undefined) return choiceStep(first, second, third);
        break;
      case "_[_]":
      case "_[?_]":
      case "_?._":
        if (first !== undefined && second !== undefined) return indexStep(first, second, node.function !== "_[_]");
        break;
      default:
    }
    return planCall({ name: node.function, overloads: this.checked.overloadsOf(node), args });
  }

  #planList(node: ListNode, variables: Variables): Step {
    const elements = node.elements.map((element) => this.plan(element, variables));
    const make = (frame: Frame): CelValue => {
      const values: CelValue[] = [];
      for (const [index, element] of elements.entries()) {
        const value = element.evaluate(frame);
        if (value instanceof CelError) return value;
        if (!node.optionalIndices.has(index)) values.push(value);
        else if (!(value instanceof CelOptional)) return notOptional("list element", value);
        else if (value.held !== undefined) values.push(value.held);
      }
      return new CelArray(values);
    };
    return literalStep(elements, make, (frame) => frame.observer?.list());
  }

  #planMap(node: MapNode, variables: Variables): Step {
    const entries = node.entries.map(({ key, value, isOptional }) => {
      return { key: this.plan(key, variables), value: this.plan(value, variables), isOptional };
    });
    const make = (frame: Frame): CelValue => {
      const made: (readonly [CelValue, CelValue])[] = [];
      for (const entry of entries) {
        const key = entry.key.evaluate(frame);
        if (key instanceof CelError) return key;
        const value = entry.value.evaluate(frame);
        if (value instanceof CelError) return value;
        if (!entry.isOptional) made.push([key, value]);
        else if (!(value instanceof CelOptional)) return notOptional(`entry '${formatKey(key)}'`, value);
        else if (value.held !== undefined) made.push([key, value.held]);
      }
      return new CelDictionary(made);
    };
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return literalStep(parts, make, (frame) => frame.observer?.map());
  }

  #planMessage({ typeName, fields }: MessageNode, variables: Variables): Step {
    const steps = fields.map(({ name, value, isOptional }) => ({
      name,
      value: this.plan(value, variables),
      isOptional,
    }));
    const make = (frame: Frame): CelValue => {
      const made = new Map<string, CelValue>();
      for (const { name, value: step, isOptional } of steps) {
        const value = step.evaluate(frame);
        if (value instanceof CelError) return value;
        if (!isOptional) made.set(name, value);
        else if (!(value instanceof CelOptional)) return notOptional(`entry '${name}'`, value);
        else if (value.held === undefined) made.delete(name);
        else made.set(name, value.held);
      }
      return messageOf(typeName, made);
    };
    return {
      evaluate: (frame) => {
        const value = make(frame);
        frame.observer?.message();
        return value;
      },
    };
  }
}

// The texts of patches may be of type `dyn` to the checker.
function messageOf(typeName: string, fields: ReadonlyMap<string, CelValue>): CelMessage | CelError {
  if (typeName !== "JSONPatch") return new CelMessage(typeName, fields);
  for (const name of ["op", "path", "from"]) {
    const value = fields.get(name);
    if (value === undefined || typeof value === "string") continue;
    return new CelError(
      `unexpected type ${GO_TYPES[runtimeType(value).name] ?? "*types.Type"} for JSONPatchType '${name}' field`,
    );
  }
  return new CelMessage(typeName, fields);
}

const GO_TYPES: Readonly<Record<string, string>> = {
  bool: "bool",
  bytes: "[]uint8",
  double: "float64",
  int: "int64",
  list: "[]interface {}",
  map: "map[string]interface {}",
  null_type: "structpb.NullValue",
  uint: "uint64",
};

function readSlot(frame: Frame, index: number): CelValue {
  const slot = frame.slots[index];
  if (!isPending(slot)) return slot ?? null;
  const value = slot.start(frame);
  frame.slots[index] = value;
  return value;
}

/** Returns a step whose value is known. */
function constantStep(constant: CelValue): Step {
  return { constant, evaluate: () => constant };
}

function chainFrom(root: (frame: Frame) => CelValue): Attribute {
  return { kind: "chain", root, qualifiers: [] };
}

function attributeOf(step: Step): Attribute {
  return step.attribute ?? chainFrom((frame) => step.evaluate(frame));
}

function attributeStep(attribute: Attribute): Step {
  return {
    attribute,
    evaluate: (frame) => {
      const value = readAttribute(attribute, frame);
      if (attribute.kind === "chain") frame.observer?.attribute();
      return value;
    },
  };
}

function presenceStep(attribute: Attribute): Step {
  return {
    attribute,
    evaluate: (frame) => {
      const value = readAttribute(attribute, frame);
      return value instanceof CelOptional ? value.held !== undefined : value;
    },
  };
}

function choiceStep(condition: Step, whenTrue: Step, whenFalse: Step): Step {
  return attributeStep({
    kind: "choice",
    condition,
    whenTrue: attributeOf(whenTrue),
    whenFalse: attributeOf(whenFalse),
  });
}

function indexStep(operand: Step, index: Step, isOptional: boolean): Step {
  const key: Qualifier["key"] = index.constant === undefined ? (index.attribute ?? index) : index.constant;
  return attributeStep(addQualifier(attributeOf(operand), { key, isOptional, isPresenceTest: false }));
}

function literalStep(parts: readonly Step[], make: (frame: Frame) => CelValue, observe: (frame: Frame) => void): Step {
  if (parts.every((part) => part.constant !== undefined)) {
    return constantStep(make({ bindings: new Map(), slots: [], observer: undefined }));
  }
  return {
    evaluate: (frame) => {
      const value = make(frame);
      observe(frame);
      return value;
    },
  };
}

function notOptional(what: string, value: CelValue): CelError {
  const kind = what.startsWith("list") ? `optional ${what}` : `optional ${what}`;
  return new CelError(`cannot initialize ${kind} from non-optional value ${formatKey(value)}`);
}
