import type { ValidationRule } from "../model/schema-node.ts";
import type { NamedNodes } from "../model/schema-parts.ts";
import { discriminatorOf, isSet, type Member, type MemberRulesOptions, usesOf } from "./members.ts";
import { modeRules } from "./mode-rules.ts";
import { ratchetedRule } from "./ratchet-rules.ts";
import { argumentOf, listOf, typeNameOf } from "./tag-predicates.ts";
import { updateRules } from "./update-rules.ts";

/** Returns the rules of an object that tags of its properties state: unions, dependencies, modes, and updates. */
export function memberRules(options: MemberRulesOptions): readonly ValidationRule[] {
  const tagged = options.members.filter(({ markers }) => markers.some(({ name }) => name.startsWith("k8s:")));
  if (tagged.length === 0) return [];
  return [
    ...unionRules(options),
    ...tagged.flatMap((member) => dependencyRules(member, options)),
    ...modeRules(options),
    ...tagged.flatMap((member) => updateRules(member, options)),
  ];
}

interface Union {
  readonly discriminator: Member | undefined;
  readonly members: readonly { readonly member: Member; readonly value: string }[];
}

const EXACTLY_ONE = "k8s:unionMember";
const AT_MOST_ONE = "k8s:zeroOrOneOfMember";
const DISCRIMINATOR = "k8s:unionDiscriminator";

function unionRules(options: MemberRulesOptions): readonly ValidationRule[] {
  const { typeOf } = options;
  const exactly = collectUnions(EXACTLY_ONE, options).map((union) =>
    union.discriminator === undefined
      ? countRule(union, "== 1", "exactly one of the fields in [$] must be set", typeOf)
      : discriminatedRule(union, union.discriminator, typeOf),
  );
  const atMost = collectUnions(AT_MOST_ONE, options).map((union) =>
    countRule(union, "<= 1", "at most one of the fields in [$] may be set", typeOf),
  );
  return [...exactly, ...atMost];
}

function collectUnions(tag: string, { members, typeOf, report }: MemberRulesOptions): readonly Union[] {
  const unions = new Map<string, { discriminator: Member | undefined; members: Union["members"] }>();
  for (const [member, { value }] of usesOf(tag, members)) {
    const name = argumentOf(value, "union");
    const known = unions.get(name) ?? { discriminator: undefined, members: [] };
    const memberName = argumentOf(value, "memberName") || goName(member.name);
    unions.set(name, { ...known, members: [...known.members, { member, value: memberName }] });
  }
  if (tag !== EXACTLY_ONE) return [...unions.values()];
  for (const [member, { value, location }] of usesOf(DISCRIMINATOR, members)) {
    const union = unions.get(argumentOf(value, "union"));
    const problem =
      union === undefined
        ? (["has no members", `write +${EXACTLY_ONE} above the properties of the union`] as const)
        : union.discriminator === undefined
          ? typeNameOf(member.node, typeOf) === "string"
            ? undefined
            : (["needs a string", "remove the tag or change the type"] as const)
          : (["is above a second property of the union", "remove one of the tags"] as const);
    if (problem !== undefined) report({ message: `+${DISCRIMINATOR} ${problem[0]}`, hint: problem[1], location });
    else if (union !== undefined) union.discriminator = member;
  }
  return [...unions.values()];
}

// Fields of Go start with a capital letter.
function goName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function countRule({ members }: Union, limit: string, message: string, typeOf: NamedNodes): ValidationRule {
  const facts = members.map(
    ({ member }) =>
      (object: string): string =>
        isSet(object, member, typeOf),
  );
  const sum = facts.map((fact) => `(${fact("self")} ? 1 : 0)`).join(" + ");
  const names = members.map(({ member }) => member.name).join(" ");
  return ratchetedRule(`${sum} ${limit}`, facts, message.replace("$", names));
}

function discriminatedRule({ members }: Union, discriminator: Member, typeOf: NamedNodes): ValidationRule {
  const value = (object: string): string => discriminatorOf(object, discriminator, typeOf);
  const facts = members.map(
    ({ member }) =>
      (object: string): string =>
        isSet(object, member, typeOf),
  );
  const checks = members.map(
    (each) => `${isSet("self", each.member, typeOf)} == (${value("self")} == ${JSON.stringify(each.value)})`,
  );
  const meaning = members.map((each) => `${each.member.name} when it is ${JSON.stringify(each.value)}`);
  const message = `${discriminator.name} requires, and alone allows, ${listOf(meaning)}`;
  return ratchetedRule(checks.join(" && "), [value, ...facts], message);
}

const DEPENDENCIES = [
  { tag: "k8s:dependentRequired", verb: "must be set", sign: "" },
  { tag: "k8s:dependentForbidden", verb: "may not be set", sign: "!" },
] as const;

function dependencyRules(member: Member, { members, typeOf, report }: MemberRulesOptions): readonly ValidationRule[] {
  return DEPENDENCIES.flatMap(({ tag, verb, sign }) =>
    usesOf(tag, [member]).flatMap(([, { value, location }]) => {
      const name = argumentOf(value, "field");
      const other = members.find((each) => each.name === name);
      if (other === undefined || other === member) {
        const names = members.filter((each) => each !== member).map((each) => each.name);
        const message = `+${tag} names ${JSON.stringify(name)}, which is no other property of the type`;
        report({ message, hint: `use ${listOf(names) || "it beside other properties"}`, location });
        return [];
      }
      const facts = [member, other].map(
        (each) =>
          (object: string): string =>
            isSet(object, each, typeOf),
      );
      const check = `!${isSet("self", member, typeOf)} || ${sign}${isSet("self", other, typeOf)}`;
      return [ratchetedRule(check, facts, `${name} ${verb} when ${member.name} is set`)];
    }),
  );
}
