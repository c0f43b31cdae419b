import type { PayloadTag } from "../../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { celFieldName } from "../model/cel-field-name.ts";
import type { ValidationRule } from "../model/schema-node.ts";
import { discriminatorOf, isSet, type Member, type MemberRulesOptions, usesOf } from "./members.ts";
import { ratchetedRule } from "./ratchet-rules.ts";
import { argumentOf, groupUses, isProblem, payloadOf, predicateOf, typeNameOf } from "./tag-predicates.ts";

const DISCRIMINATOR = "k8s:modeDiscriminator";
const TAG = "k8s:ifMode";

/** Returns the rules of an object whose properties are validated by the mode that a discriminator states. */
export function modeRules(options: MemberRulesOptions): readonly ValidationRule[] {
  const discriminators = collectDiscriminators(options);
  return options.members.flatMap((member) => {
    const uses = usesOf(TAG, [member]).map(([, use]) => use);
    const groups = groupUses(uses, (value) => argumentOf(value, "modality"));
    return [...groups].flatMap(([group, ofGroup]) => {
      const discriminator = discriminators.get(group);
      if (discriminator !== undefined) return modeRule(member, discriminator, ofGroup, options);
      const [use] = ofGroup;
      if (use === undefined) return [];
      const name = group === "" ? "" : `(modality: ${JSON.stringify(group)})`;
      options.report({
        message: `+${TAG} needs a discriminator in its type`,
        hint: `write +${DISCRIMINATOR}${name} above a string or a boolean`,
        location: use.location,
      });
      return [];
    });
  });
}

function collectDiscriminators({ members, typeOf, report }: MemberRulesOptions): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  for (const [member, { value, location }] of usesOf(DISCRIMINATOR, members)) {
    const group = argumentOf(value, "modality");
    const type = typeNameOf(member.node, typeOf);
    if (type !== "string" && type !== "boolean") {
      const message = `+${DISCRIMINATOR} needs a string or a boolean, but the type is ${type ?? "not known"}`;
      report({ message, hint: "remove the tag or change the type", location });
    } else if (found.has(group)) {
      const hint = "remove one of them, or name them with modality";
      report({ message: `+${DISCRIMINATOR} is above a second property`, hint, location });
    } else {
      found.set(group, member);
    }
  }
  return found;
}

function modeRule(
  member: Member,
  discriminator: Member,
  uses: readonly MarkerUse[],
  { typeOf, report }: MemberRulesOptions,
): readonly ValidationRule[] {
  const isBoolean = typeNameOf(discriminator.node, typeOf) === "boolean";
  const modes = groupUses(uses, (value) => argumentOf(value, "mode"));
  const branches: string[] = [];
  for (const [mode, ofMode] of modes) {
    const [use] = ofMode;
    const conditions = conditionsOf(
      member,
      ofMode.map(({ value }) => payloadOf(value)),
      typeOf,
    );
    const problem =
      isBoolean && mode !== "true" && mode !== "false"
        ? ([`has the mode ${JSON.stringify(mode)}`, "use true or false, the values of the discriminator"] as const)
        : conditions.problem;
    if (problem !== undefined && use !== undefined) {
      report({ message: `+${TAG} ${problem[0]}`, hint: problem[1], location: use.location });
      return [];
    }
    const literal = isBoolean ? mode : JSON.stringify(mode);
    branches.push(`${discriminatorOf("self", discriminator, typeOf)} == ${literal} ? ${conditions.text}`);
  }
  const set = (object: string): string => isSet(object, member, typeOf);
  const field = celFieldName(member.name);
  const value = (object: string): string => discriminatorOf(object, discriminator, typeOf);
  const check = `(${branches.join(" : ")} : !${set("self")})`;
  const isEqual = `(!${set("self")} || self.${field} == oldSelf.value().${field})`;
  return [ratchetedRule(check, [value, set], `${member.name} does not fit ${discriminator.name}`, [isEqual])];
}

interface Conditions {
  readonly text: string;
  readonly problem?: readonly [message: string, hint: string];
}

const SIZES = new Set(["k8s:minItems", "k8s:minProperties"]);

function conditionsOf(
  member: Member,
  payloads: readonly PayloadTag[],
  typeOf: MemberRulesOptions["typeOf"],
): Conditions {
  const set = isSet("self", member, typeOf);
  const names = new Set(payloads.map(({ name }) => name));
  const texts: string[] = [];
  if (names.has("k8s:required")) texts.push(set);
  if (names.has("k8s:forbidden")) texts.push(`!${set}`);
  for (const payload of payloads) {
    if (PRESENCE.has(payload.name)) continue;
    const subject = { text: `self.${celFieldName(member.name)}`, view: member.node, typeOf };
    const predicate = predicateOf(payload, subject);
    if (isProblem(predicate)) return { text: "", problem: predicate };
    // Go validates the size of a list that is not there, unless the tags say that it is optional.
    const needsItems = SIZES.has(payload.name) && !names.has("k8s:optional");
    texts.push(needsItems ? `${set} && ${predicate}` : `(!${set} || ${predicate})`);
  }
  return { text: texts.length === 0 ? "true" : `(${texts.join(" && ")})` };
}

const PRESENCE = new Set(["k8s:required", "k8s:optional", "k8s:forbidden"]);
