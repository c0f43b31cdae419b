import type { Comment } from "./package-model.ts";
import type { Random } from "./random.ts";
import { misplacedMarker } from "./schema-markers.ts";

/** Adds a marker that is likely to be wrong, or spoils one that the comment has. */
export function illegalMarker(random: Random, comment: Comment, target: "field" | "type" | "kind"): Comment {
  // In Go the constants are no enum without their marker, in TypeScript a union is one anyway.
  const index = random.whole(comment.markers[0] === "+k8s:enum" ? 1 : 0, comment.markers.length - 1);
  if (index < comment.markers.length && random.chance(0.4)) {
    return { ...comment, markers: comment.markers.map((each, at) => (at === index ? spoilText(random, each) : each)) };
  }
  const added =
    target === "kind"
      ? random.pick([...ILLEGAL_ON_KINDS, ...ILLEGAL])
      : random.chance(0.3)
        ? misplacedMarker(random)
        : random.pick(ILLEGAL);
  return { ...comment, markers: [...comment.markers, added] };
}

/** Puts in, takes out or replaces one character after the name of a marker. */
export function spoilText(random: Random, marker: string): string {
  const start = marker.indexOf("=") + 1;
  if (start === 0) return `${marker}${random.pick(["=", "=x", " ", "x", ":x", "=true"])}`;
  const characters = Array.from(marker.slice(start));
  const at = random.whole(0, characters.length);
  const character = random.pick([
    '"',
    "'",
    "`",
    "{",
    "}",
    "[",
    ",",
    ";",
    ":",
    "=",
    "\\",
    " ",
    "-",
    ".",
    "0",
    "_",
    "x",
    "#",
    "é",
    "\t",
    "+",
  ]);
  const removed = random.chance(0.5) ? 0 : 1;
  const inserted = removed === 1 && random.chance(0.5) ? "" : character;
  const kept = [...characters.slice(0, at), inserted, ...characters.slice(at + removed)];
  return (marker.slice(0, start) + kept.join("")).trimEnd();
}

const V = "+kubebuilder:validation:";

const ILLEGAL: readonly string[] = [
  `${V}Maximum=abc`, `${V}Maximum=`, `${V}Maximum`, `${V}Minimum=5 apples`, `${V}Minimum=0x10`, `${V}Minimum=1_000`, `${V}Minimum=Inf`,
  `${V}Minimum="5"`, `${V}MinLength=1.5`, `${V}MinLength="1"`, `${V}MinLength=-`, `${V}MinLength=1e3`, `${V}MaxLength=0x1F`, `${V}MinLength=08`,
  `${V}MaxLength=99999999999999999999`, `${V}MaxItems=x`, `${V}MaxItems=1,2`, `${V}UniqueItems=yes`, `${V}UniqueItems=1`,
  `${V}Enum={a`, `${V}Enum=a,b`, `${V}Enum=`, `${V}Enum={}`, `${V}Enum={a,1,true}`, `${V}Enum={1,a}`, `${V}Enum=a;;b`, `${V}Enum=;`,
  `${V}Pattern=a,b`, `${V}Pattern="a" "b"`, `${V}Pattern=`, `${V}Pattern`, `${V}Pattern="\\d"`, `${V}Format=a;b`, `${V}Format={a}`,
  `${V}Type=`, `${V}Type=string`, `${V}Type=object`, `${V}Schemaless=1`, `${V}XIntOrString=true`, `${V}EmbeddedResource=true`,
  `${V}XValidation:message="x"`, `${V}XValidation:rule="true",reason=Foo`, `${V}XValidation:rules="true"`, `${V}XValidation:rule=`,
  `${V}XValidation:rule="true",`, `${V}XValidation:rule="true" message="x"`, `${V}XValidation="true"`, `${V}XValidation`,
  `${V}XValidation:rule="true",optionalOldSelf=yes`, `${V}XValidation:rule="true",rule="false"`,
  `${V}items:MinLength=1`, `${V}items:Enum=`, `${V}items:items:MinLength=1`, `${V}AtMostOneOf=a`, `${V}ExactlyOneOf=a.b;c`, `${V}AtLeastOneOf=`,
  "+kubebuilder:default=[1,2]", "+kubebuilder:default={a: }", "+kubebuilder:default={a: 1, a: 2}", '+kubebuilder:default="open',
  "+kubebuilder:default=`open", '+kubebuilder:default="\\d"', "+kubebuilder:default=a,b", "+kubebuilder:default=", "+kubebuilder:default",
  "+kubebuilder:default={a: 1", "+kubebuilder:default={a, b: 1}", "+kubebuilder:default={{a: 1}, {b}}", "+kubebuilder:default=a;b",
  "+kubebuilder:default={1,}", "+kubebuilder:default={a:b:c}", "+kubebuilder:default={a: {}}", "+kubebuilder:default={{}}", "+kubebuilder:default={,}",
  "+kubebuilder:default=}", "+kubebuilder:default=;", "+kubebuilder:default=1;", "+kubebuilder:default=true;false", "+kubebuilder:default=true false",
  "+kubebuilder:example=", "+kubebuilder:example={x", "+kubebuilder:title=5", "+kubebuilder:title={a: 1}", "+kubebuilder:title=true", "+kubebuilder:title=",
  "+kubebuilder:externalDocs:url=foo", "+kubebuilder:externalDocs:description=x", "+kubebuilder:externalDocs:url=", "+kubebuilder:externalDocs",
  '+kubebuilder:externalDocs:url="http://a b"', "+default=abc", "+default=", "+default", "+default={a: 1}", "+default=[1,]", "+default=1 2", "+default='x'",
  "+default=01", "+default=1.0", "+default=1e400", "+default=9007199254740993", "+default= \"x\"", "+default=null", "+default=ref(x",
  "+nullable=true", "+nullable=", "+optional=true", "+required=x", `${V}Required=1`, `${V}Optional=true`, "+k8s:required=true", "+k8s:optional=x",
  "+k8s:immutable=x", "+k8s:enum", "+k8s:minimum=", "+k8s:minimum=x # y", "+k8s:minimum=5 # y", "+k8s:maximum=1.5", "+k8s:maxItems=3#x", "+k8s:maxItems=1.5",
  "+listType=bag", "+listType=map", "+listType=", "+listType", "+listMapKey=name", "+listMapKey", "+mapType=x", "+mapType=atomic", "+structType=y",
  "+structType=atomic", "+k8s:listType=sets", "+k8s:listMapKey=x", `${V}MultipleOf=1.5`, `${V}MultipleOf=0`, `${V}ExclusiveMinimum=x`,
  "+kubebuilder:pruning:PreserveUnknownFields=true", "+Optional", "+kubebuilder:validation:optional", "+ nullable", "+nullable x",
  "+kubebuilder:validation:MaxLength:x=5", "+kubebuilder:validation:MaxLength :=5", "+kubebuilder:validation:MaxLength =5",
  "+kubebuilder:validation:MaxLength= 5", "+kubebuilder:default= x", "+kubebuilder:default={ a : 1 }", `${V}Enum=a ; b`, `${V}Enum={a , b}`,
  `${V}MinProperties=-1`, `${V}MaxLength=-1`, `${V}k8s:unknown=1`, "+kubebuilder:validation", "+kubebuilder:", "+", "+=", "+:=", "+kubebuilder:default:=",
]; // prettier-ignore

const ILLEGAL_ON_KINDS: readonly string[] = [
  "+kubebuilder:resource:foo=bar", "+kubebuilder:resource:path=", "+kubebuilder:resource:scope=Global", "+kubebuilder:resource:path=x,", "+kubebuilder:resource=",
  "+kubebuilder:resource:path=a;b", "+kubebuilder:resource:shortName=a,b", "+kubebuilder:resource:shortName=", "+kubebuilder:resource:shortName={a;b}",
  "+kubebuilder:subresource:status=true", "+kubebuilder:subresource:scale", "+kubebuilder:subresource:scale:specpath=.a",
  "+kubebuilder:printcolumn:name=A,type=string", "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,priority=x",
  "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,priority=\"1\"", "+kubebuilder:printcolumn", "+kubebuilder:printcolumn:name=A;B,type=string,JSONPath=.a",
  "+kubebuilder:selectablefield:JSONPath=", "+kubebuilder:selectablefield", "+kubebuilder:selectablefield=.a",
  "+kubebuilder:unservedversion", "+kubebuilder:storageversion=true", "+kubebuilder:deprecatedversion=x", "+kubebuilder:deprecatedversion:warning=",
  "+kubebuilder:metadata:annotations=x", "+kubebuilder:metadata", "+kubebuilder:metadata:annotations=\"a=b\"", "+kubebuilder:object:root=x", "+kubebuilder:object:root",
  "+groupName=other.example.com", "+versionName=v9",
]; // prettier-ignore
