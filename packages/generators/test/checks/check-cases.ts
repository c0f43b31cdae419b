/** A source with one thing wrong, what the checks say about it, and what a server makes of the CRD. */
export interface CheckCase {
  readonly name: string;
  /** Types and markers; a kind Widget among them has the rest. */
  readonly source: string;
  readonly options?: string;
  readonly code: string;
  readonly severity: "error" | "warning";
  /** The text under the caret. */
  readonly at: string;
  /** A piece of the server's refusal; undefined when servers take the CRD and lose something. */
  readonly refusal?: string;
}

/** Wraps members of a spec into a kind. */
export function widget(members: string, types = ""): string {
  return `${types}\nexport interface WidgetSpec {\n${members}\n}\n/** A widget. */\nexport interface Widget extends KubernetesObject {\n  spec: WidgetSpec;\n}\n`;
}

/** Puts markers above a kind. */
export function marked(markers: string, members = "  size?: int32;"): string {
  return `export interface WidgetSpec {\n${members}\n}\n${markers}\nexport interface Widget extends KubernetesObject {\n  spec: WidgetSpec;\n}\n`;
}

const KEYED = "export interface Port {\n  name?: string;\n  port: int32;\n}";

/** The sources with something wrong. */
export const CHECK_CASES: readonly CheckCase[] = [
  refused("default-of-another-type", {
    source: widget("  // +kubebuilder:default=5\n  name?: string;"),
    code: "CRD_DEFAULT_REJECTED",
    at: "5",
    refusal: "must be of type string",
  }),
  refused("default-outside-enum", {
    source: widget("  // +kubebuilder:default=blue\n  // +kubebuilder:validation:Enum=red;green\n  color?: string;"),
    code: "CRD_DEFAULT_REJECTED",
    at: "blue",
    refusal: "Unsupported value",
  }),
  refused("default-below-minimum", {
    source: widget("  // +kubebuilder:validation:Minimum=1\n  // +kubebuilder:default=0\n  size?: int32;"),
    code: "CRD_DEFAULT_REJECTED",
    at: "0",
    refusal: "should be greater than or equal to 1",
  }),
  refused("default-breaks-pattern", {
    source: widget("  // +kubebuilder:validation:Pattern=`^[a-z]+$`\n  // +kubebuilder:default=A1\n  name?: string;"),
    code: "CRD_DEFAULT_REJECTED",
    at: "A1",
    refusal: "should match",
  }),
  refused("default-of-object-lacks-required", {
    source: widget(
      "  // +kubebuilder:default={b: 1}\n  inner?: Inner;",
      "export interface Inner { a: string; b?: int32 }",
    ),
    code: "CRD_DEFAULT_REJECTED",
    at: "{b: 1}",
    refusal: "Required value",
  }),
  refused("default-with-unknown-field", {
    source: widget("  // +kubebuilder:default={a: x, c: 1}\n  inner?: Inner;", "export interface Inner { a: string }"),
    code: "CRD_DEFAULT_PRUNED",
    at: "{a: x, c: 1}",
    refusal: "must not have unknown fields",
  }),
  refused("default-beyond-the-maximum-of-its-type", {
    source: widget(
      "  // +kubebuilder:default=9\n  size?: Size;",
      "// +kubebuilder:validation:Maximum=5\nexport type Size = int32;",
    ),
    code: "CRD_DEFAULT_REJECTED",
    at: "9",
    refusal: "should be less than or equal to 5",
  }),
  refused("default-of-items", {
    source: widget("  // +kubebuilder:default={1,2}\n  names?: string[];"),
    code: "CRD_DEFAULT_REJECTED",
    at: "{1,2}",
    refusal: "must be of type string",
  }),
  refused("default-that-breaks-a-rule", {
    source: widget(
      "  // +kubebuilder:default={a: 2}\n  inner?: Inner;",
      "// +kubebuilder:validation:XValidation:rule=`self.a < 2`\nexport interface Inner { a: int32 }",
    ),
    code: "CRD_DEFAULT_REJECTED",
    at: "{a: 2}",
    refusal: "failed rule: self.a < 2",
  }),
  refused("pattern-with-look-ahead", {
    source: widget("  // +kubebuilder:validation:Pattern=`^(?!a)b`\n  name?: string;"),
    code: "CRD_PATTERN_INVALID",
    at: "`^(?!a)b`",
    refusal: "must be a valid regular expression",
  }),
  refused("pattern-of-items", {
    source: widget("  // +kubebuilder:validation:items:Pattern=`(`\n  names?: string[];"),
    code: "CRD_PATTERN_INVALID",
    at: "`(`",
    refusal: "must be a valid regular expression",
  }),
  refused("pattern-of-values", {
    source: widget(
      "  names?: Record<string, Name>;",
      "// +kubebuilder:validation:Pattern=`\\\\1`\nexport type Name = string;".replaceAll("\\\\", "\\"),
    ),
    code: "CRD_PATTERN_INVALID",
    at: "`\\1`",
    refusal: "must be a valid regular expression",
  }),
  refused("key-neither-required-nor-defaulted", {
    source: widget("  // +listType=map\n  // +listMapKey=name\n  ports?: Port[];", KEYED),
    code: "CRD_LIST_MAP_KEY",
    at: "name",
    refusal: "must have a default or be a required property",
  }),
  refused("key-that-does-not-exist", {
    source: widget("  // +listType=map\n  // +listMapKey=port\n  // +listMapKey=prot\n  ports?: Port[];", KEYED),
    code: "CRD_LIST_MAP_KEY",
    at: "prot",
    refusal: "entries must all be names of item properties",
  }),
  refused("key-that-is-an-object", {
    source: widget(
      "  // +listType=map\n  // +listMapKey=inner\n  items?: Item[];",
      "export interface Inner { a?: string }\nexport interface Item { inner: Inner }",
    ),
    code: "CRD_LIST_MAP_KEY",
    at: "inner",
    refusal: "must be a scalar type",
  }),
  refused("key-that-may-be-null", {
    source: widget(
      "  // +listType=map\n  // +listMapKey=name\n  items?: Item[];",
      "export interface Item { name: string | null }",
    ),
    code: "CRD_LIST_MAP_KEY",
    at: "name",
    refusal: "cannot be nullable",
  }),
  refused("key-of-a-struct-of-kubernetes", {
    source: widget("  inner?: DeploymentStatus;"),
    code: "CRD_LIST_MAP_KEY",
    at: "inner",
    refusal: "must have a default or be a required property",
  }),
  refused("map-without-keys", {
    source: widget("  // +listType=map\n  ports?: Port[];", KEYED),
    code: "CRD_LIST_MAP_KEY",
    at: "map",
    refusal: "must not be empty if x-kubernetes-list-type is map",
  }),
  refused("map-of-strings", {
    source: widget("  // +listType=map\n  // +listMapKey=name\n  names?: string[];"),
    code: "CRD_LIST_TYPE",
    at: "map",
    refusal: "must be object if parent array",
  }),
  refused("set-of-objects", {
    source: widget("  // +listType=set\n  ports?: Port[];", KEYED),
    code: "CRD_LIST_TYPE",
    at: "set",
    refusal: "must be atomic as item of a list",
  }),
  refused("unique-items", {
    source: widget("  // +kubebuilder:validation:UniqueItems=true\n  names?: string[];"),
    code: "CRD_UNIQUE_ITEMS",
    at: "true",
    refusal: "uniqueItems cannot be set to true",
  }),
  lost("maximum-of-int64", {
    source: widget("  // +kubebuilder:validation:Maximum=9223372036854775807\n  size?: int64;"),
    code: "CRD_BOUND_OUT_OF_RANGE",
    severity: "error",
    at: "9223372036854775807",
  }),
  lost("multiple-of-items", {
    source: widget("  // +kubebuilder:validation:items:MultipleOf=9223372036854775807\n  sizes?: int64[];"),
    code: "CRD_BOUND_OUT_OF_RANGE",
    severity: "error",
    at: "9223372036854775807",
  }),
  lost("enum-of-numbers-on-a-string", {
    source: widget("  // +kubebuilder:validation:Enum=1.30;1.31\n  version?: string;"),
    code: "CRD_ENUM_TYPE",
    severity: "error",
    at: "1.30;1.31",
  }),
  lost("enum-with-one-number-on-a-string", {
    source: widget("  // +kubebuilder:validation:Enum=a;1\n  version?: string;"),
    code: "CRD_ENUM_TYPE",
    severity: "error",
    at: "a;1",
  }),
  lost("enum-of-texts-on-an-integer", {
    source: widget("  // +kubebuilder:validation:Enum=a;b\n  size?: int32;"),
    code: "CRD_ENUM_TYPE",
    severity: "error",
    at: "a;b",
  }),
  refused("schemaless-without-type", {
    source: widget("  // +kubebuilder:validation:Schemaless\n  anything?: string;"),
    code: "CRD_NOT_STRUCTURAL",
    at: "+kubebuilder:validation:Schemaless",
    refusal: "must not be empty for specified object fields",
  }),
  refused("embedded-resource-without-fields", {
    source: widget("  // +kubebuilder:validation:EmbeddedResource\n  inner?: Inner;", "export interface Inner {}"),
    code: "CRD_NOT_STRUCTURAL",
    at: "+kubebuilder:validation:EmbeddedResource",
    refusal: "must not be empty if x-kubernetes-embedded-resource is true",
  }),
  refused("two-defaults-that-meet-in-allof", {
    source: widget(
      "  inner?: Derived;",
      "export interface Base {\n  // +kubebuilder:default=1\n  size?: int32;\n}\nexport interface Derived extends Base {\n  // +kubebuilder:default=2\n  size?: int32;\n}",
    ),
    code: "CRD_NOT_STRUCTURAL",
    at: "1",
    refusal: "to be structural",
  }),
  lost("metadata-of-the-sources", {
    source: widget(
      "  template?: Template;",
      "export interface Template {\n  metadata?: ObjectMeta;\n  size?: int32;\n}",
    ),
    code: "CRD_EMBEDDED_METADATA",
    severity: "error",
    at: "metadata",
  }),
  lost("metadata-of-another-name", {
    source: widget("  podMeta?: ObjectMeta;"),
    code: "CRD_EMBEDDED_METADATA",
    severity: "error",
    at: "podMeta",
  }),
  lost("metadata-in-a-map", {
    source: widget("  podMeta?: Record<string, ObjectMeta>;"),
    code: "CRD_EMBEDDED_METADATA",
    severity: "error",
    at: "ObjectMeta",
  }),
  lost("metadata-in-a-list", {
    source: widget("  podMeta?: ObjectMeta[];"),
    code: "CRD_EMBEDDED_METADATA",
    severity: "error",
    at: "ObjectMeta",
  }),
  lost("metadata-of-a-pod-template", {
    source: widget("  template?: PodTemplateSpec;"),
    code: "CRD_EMBEDDED_METADATA",
    severity: "warning",
    at: "template",
  }),
  lost("metadata-in-a-list-of-claims", {
    source: widget("  claims?: PersistentVolumeClaim[];"),
    code: "CRD_EMBEDDED_METADATA",
    severity: "warning",
    at: "claims",
  }),
  refused("blank-rule", {
    source: widget('  // +kubebuilder:validation:XValidation:rule=" "\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: '" "',
    refusal: "rule is not specified",
  }),
  refused("message-with-line-breaks", {
    source: widget('  // +kubebuilder:validation:XValidation:rule="self > 1",message="a\\nb"\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: '"a\\nb"',
    refusal: "must not contain line breaks",
  }),
  refused("rule-with-line-breaks-and-no-message", {
    source: widget('  // +kubebuilder:validation:XValidation:rule="self >\\n1"\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: '"self >\\n1"',
    refusal: "message must be specified if rule contains line breaks",
  }),
  refused("field-path-to-nowhere", {
    source: widget("  size?: int32;", '// +kubebuilder:validation:XValidation:rule="true",fieldPath=".sise"\n').replace(
      "// +kubebuilder",
      "/**/\n// +kubebuilder",
    ),
    code: "CRD_RULE_INVALID",
    at: '".sise"',
    refusal: "must be a valid path",
  }),
  refused("rule-that-does-not-parse", {
    source: widget('  // +kubebuilder:validation:XValidation:rule="self > > 1"\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: ">",
    refusal: "compilation failed",
  }),
  refused("rule-with-unknown-field", {
    source: widget(
      "  inner?: Inner;",
      "// +kubebuilder:validation:XValidation:rule=`self.name != '' && self.sise > 1`\nexport interface Inner { name: string; size: int32 }",
    ),
    code: "CRD_RULE_INVALID",
    at: ".",
    refusal: "undefined field 'sise'",
  }),
  refused("rule-with-unknown-name-behind-an-escape", {
    source: widget(
      '  // +kubebuilder:validation:XValidation:rule="self != \\"a\\" && slef != \\"b\\""\n  name?: string;',
    ),
    code: "CRD_RULE_INVALID",
    at: "slef",
    refusal: "undeclared reference to 'slef'",
  }),
  refused("rule-that-compares-unlike-types", {
    source: widget("  // +kubebuilder:validation:XValidation:message=m,rule=self == 'a'\n  size?: int32;"),
    code: "CRD_RULE_INVALID",
    at: "==",
    refusal: "found no matching overload",
  }),
  refused("rule-that-is-no-condition", {
    source: widget('  // +kubebuilder:validation:XValidation:rule="self + 1"\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: '"self + 1"',
    refusal: "cel expression must evaluate to a bool",
  }),
  refused("message-expression-that-does-not-compile", {
    source: widget(
      '  // +kubebuilder:validation:XValidation:rule="self > 1",messageExpression="\'is \' + selv"\n  size?: int32;',
    ),
    code: "CRD_RULE_INVALID",
    at: "selv",
    refusal: "undeclared reference to 'selv'",
  }),
  refused("old-value-of-items-without-keys", {
    source: widget(
      '  // +kubebuilder:validation:items:XValidation:rule="self == oldSelf"\n  // +kubebuilder:validation:MaxItems=3\n  sizes?: int32[];',
    ),
    code: "CRD_RULE_INVALID",
    at: '"self == oldSelf"',
    refusal: "oldSelf cannot be used on the uncorrelatable portion",
  }),
  refused("optional-old-value-that-is-not-used", {
    source: widget('  // +kubebuilder:validation:XValidation:rule="self > 1",optionalOldSelf=true\n  size?: int32;'),
    code: "CRD_RULE_INVALID",
    at: "true",
    refusal: "may not be set if oldSelf is not used in rule",
  }),
  refused("rule-over-lists-without-bounds", {
    source: widget(
      "  // +kubebuilder:validation:XValidation:rule=`self.all(x, self.exists(y, y.contains(x)))`\n  names?: string[];",
    ),
    code: "CRD_RULE_COST",
    at: "`self.all(x, self.exists(y, y.contains(x)))`",
    refusal: "estimated rule cost exceeds budget by factor of more than 100x",
  }),
  refused("plural-with-capitals", {
    source: marked("// +kubebuilder:resource:path=Widgets"),
    code: "CRD_NAME_INVALID",
    at: "Widgets",
    refusal: "DNS-1035",
  }),
  refused("short-name-with-underscore", {
    source: marked("// +kubebuilder:resource:shortName=wi;w_d"),
    code: "CRD_NAME_INVALID",
    at: "w_d",
    refusal: "spec.names.shortNames[1]",
  }),
  refused("category-with-capitals", {
    source: marked("// +kubebuilder:resource:categories={all,Mine}"),
    code: "CRD_NAME_INVALID",
    at: "Mine",
    refusal: "spec.names.categories[1]",
  }),
  refused("unknown-scope", {
    source: marked("// +kubebuilder:resource:scope=Global"),
    code: "CRD_SCOPE_INVALID",
    at: "Global",
    refusal: "spec.scope",
  }),
  refused("label-that-is-none", {
    source: marked('// +kubebuilder:metadata:labels="team=a b"'),
    code: "CRD_METADATA_INVALID",
    at: "team",
    refusal: "metadata.labels",
  }),
  refused("annotation-that-is-none", {
    source: marked('// +kubebuilder:metadata:annotations="a b=c"'),
    code: "CRD_METADATA_INVALID",
    at: "a b",
    refusal: "metadata.annotations",
  }),
  refused("long-deprecation-warning", {
    source: marked(`// +kubebuilder:deprecatedversion:warning="${"x".repeat(257)}"`),
    code: "CRD_DEPRECATION_WARNING",
    at: "x".repeat(257),
    refusal: "must be <= 256 characters long",
  }),
  refused("column-of-unknown-type", {
    source: marked("// +kubebuilder:printcolumn:name=Size,type=int,JSONPath=.spec.size"),
    code: "CRD_COLUMN_INVALID",
    at: "int",
    refusal: "additionalPrinterColumns[0].type",
  }),
  refused("column-of-unknown-format", {
    source: marked("// +kubebuilder:printcolumn:name=Size,type=integer,format=int16,JSONPath=.spec.size"),
    code: "CRD_COLUMN_INVALID",
    at: "int16",
    refusal: "additionalPrinterColumns[0].format",
  }),
  refused("column-path-without-dot", {
    source: marked("// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=spec.size"),
    code: "CRD_COLUMN_INVALID",
    at: "spec.size",
    refusal: "must be a simple json path starting with",
  }),
  lost("column-path-with-open-bracket", {
    source: marked("// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=`.spec.sizes[0`"),
    code: "CRD_COLUMN_INVALID",
    severity: "error",
    at: "`.spec.sizes[0`",
  }),
  lost("column-of-a-field-that-is-not-there", {
    source: marked("// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.sise"),
    code: "CRD_COLUMN_UNKNOWN",
    severity: "warning",
    at: ".spec.sise",
  }),
  lost("cluster-scope-of-a-namespaced-object", {
    source: marked("// +kubebuilder:resource:scope=Cluster").replace(
      "extends KubernetesObject",
      "extends NamespacedObject",
    ),
    code: "CRD_SCOPE_MISMATCH",
    severity: "warning",
    at: "Cluster",
  }),
  refused("selectable-object", {
    source: marked("// +kubebuilder:selectablefield:JSONPath=.spec"),
    code: "CRD_SELECTABLE_FIELD",
    at: ".spec",
    refusal: "must point to a field of type string",
  }),
  refused("selectable-field-that-is-not-there", {
    source: marked("// +kubebuilder:selectablefield:JSONPath=.spec.color"),
    code: "CRD_SELECTABLE_FIELD",
    at: ".spec.color",
    refusal: "does not refer to a valid field",
  }),
  refused("selectable-field-twice", {
    source: marked(
      "// +kubebuilder:selectablefield:JSONPath=.spec.size\n// +kubebuilder:selectablefield:JSONPath=.spec.size",
    ),
    code: "CRD_SELECTABLE_FIELD",
    at: ".spec.size",
    refusal: "Duplicate value",
  }),
  refused("selectable-metadata", {
    source: marked("// +kubebuilder:selectablefield:JSONPath=.metadata.name"),
    code: "CRD_SELECTABLE_FIELD",
    at: ".metadata.name",
    refusal: "does not refer to a valid field",
  }),
  refused("scale-outside-spec", {
    source: marked("// +kubebuilder:subresource:scale:specpath=.size,statuspath=.status.size").replace(
      "  spec: WidgetSpec;",
      "  spec: WidgetSpec;\n  status?: { size?: int32 };",
    ),
    code: "CRD_SCALE_PATH",
    at: ".size",
    refusal: "should be a json path under .spec",
  }),
  lost("scale-of-a-field-that-is-not-there", {
    source: marked("// +kubebuilder:subresource:scale:specpath=.spec.sise,statuspath=.spec.size")
      .replace("statuspath=.spec.size", "statuspath=.status.size")
      .replace("  spec: WidgetSpec;", "  spec: WidgetSpec;\n  status?: { size?: int32 };"),
    code: "CRD_SCALE_UNKNOWN",
    severity: "warning",
    at: ".spec.sise",
  }),
  refused("preserving-everything", {
    source: marked(""),
    options: "deprecatedV1beta1CompatibilityPreserveUnknownFields=true",
    code: "CRD_PRESERVE_UNKNOWN",
    at: "Widget",
    refusal: "spec.preserveUnknownFields",
  }),
];

/** Sources that look like the wrong ones and are sound. */
export const SOUND_CASES: readonly (readonly [name: string, source: string])[] = [
  [
    "defaults of every type",
    widget(
      '  // +kubebuilder:default="5"\n  a?: string;\n  // +kubebuilder:default=5\n  b?: int32;\n  // +kubebuilder:default=true\n  c?: boolean;\n  // +kubebuilder:default={a,b}\n  d?: string[];\n  // +kubebuilder:default={x: y}\n  e?: Record<string, string>;\n  // +kubebuilder:default={a: z}\n  f?: Inner;',
      "export interface Inner { a: string; b?: int32 }",
    ),
  ],
  ["a namespaced kind", marked("").replace("extends KubernetesObject", "extends NamespacedObject")],
  ["a cluster-scoped kind", marked("// +kubebuilder:resource:scope=Cluster")],
  ["a default that its enum allows", widget("  // +kubebuilder:default=red\n  color?: 'red' | 'green';")],
  ["a default inside free-form JSON", widget("  // +kubebuilder:default={a: {b: 1}}\n  free?: JSONValue;")],
  ["a default for a pod template", widget("  // +kubebuilder:default={name: x, image: y}\n  container?: Container;")],
  [
    "a key with a default",
    widget(
      "  // +listType=map\n  // +listMapKey=name\n  ports?: Port[];",
      "export interface Port {\n  // +kubebuilder:default=http\n  name?: string;\n}",
    ),
  ],
  [
    "two keys that are required",
    widget(
      "  // +listType=map\n  // +listMapKey=name\n  // +listMapKey=port\n  ports?: Port[];",
      "export interface Port { name: string; port: int32 }",
    ),
  ],
  [
    "keys of built-in structs",
    widget("  // +listType=map\n  // +listMapKey=containerPort\n  // +listMapKey=protocol\n  ports?: ContainerPort[];"),
  ],
  [
    "conditions as the API conventions have them",
    widget("  // +listType=map\n  // +listMapKey=type\n  conditions?: Condition[];"),
  ],
  [
    "a set of atomic objects",
    widget("  // +listType=set\n  ports?: Port[];", "// +structType=atomic\nexport interface Port { name: string }"),
  ],
  [
    "patterns that RE2 knows",
    widget("  // +kubebuilder:validation:Pattern=`^(?i)[\\p{L}\\d_-]{1,63}$`\n  name?: string;"),
  ],
  [
    "an embedded resource that keeps everything",
    widget(
      "  // +kubebuilder:validation:EmbeddedResource\n  // +kubebuilder:pruning:PreserveUnknownFields\n  any?: RawExtension;",
    ),
  ],
  [
    "a column of a condition",
    marked(
      '// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`\n// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp',
    ).replace("  spec: WidgetSpec;", "  spec: WidgetSpec;\n  status?: { conditions?: Condition[] };"),
  ],
  [
    "a column of an annotation with dots",
    marked("// +kubebuilder:printcolumn:name=Note,type=string,JSONPath=`.metadata.annotations.example\\.com/note`"),
  ],
  [
    "a column through a map",
    marked(
      "// +kubebuilder:printcolumn:name=A,type=string,JSONPath=`.spec.labels.a`",
      "  labels?: Record<string, string>;",
    ),
  ],
  [
    "selectable fields",
    marked(
      "// +kubebuilder:selectablefield:JSONPath=.spec.color\n// +kubebuilder:selectablefield:JSONPath=.spec.size",
      "  color?: 'red' | 'green';\n  size?: int32;",
    ),
  ],
  [
    "a scale subresource",
    marked(
      "// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.size,selectorpath=.status.selector",
    ).replace("  spec: WidgetSpec;", "  spec: WidgetSpec;\n  status?: { size?: int32; selector?: string };"),
  ],
  [
    "rules within their bounds",
    widget(
      "  // +kubebuilder:validation:XValidation:rule=`self.all(x, x.startsWith('a'))`,messageExpression=`'must begin with a: ' + self[0]`\n  // +kubebuilder:validation:MaxItems=10\n  // +kubebuilder:validation:items:MaxLength=63\n  names?: string[];\n  // +kubebuilder:validation:XValidation:rule=`self >= oldSelf`,message=never less\n  size?: int32;\n  // +k8s:immutable\n  fixed?: string;",
    ),
  ],
  [
    "rules about a pod template",
    widget(
      "  // +kubebuilder:validation:XValidation:rule=`!has(self.spec) || !has(self.spec.hostNetwork) || !self.spec.hostNetwork`\n  // +kubescaffold:relax=CRD_EMBEDDED_METADATA\n  template?: PodTemplateSpec;",
    ),
  ],
  [
    "rules that unions and one-of markers make",
    widget(
      "  choice?: Choice;\n  either?: Either;",
      "export type Choice = { kind: 'a'; a: string } | { kind: 'b'; b?: int32 };\n// +kubebuilder:validation:ExactlyOneOf=a;b\nexport interface Either { a?: string; b?: string }",
    ),
  ],
  [
    "an object that is a whole resource",
    widget(
      "  // +kubebuilder:validation:EmbeddedResource\n  inner?: Inner;",
      "interface Inner { apiVersion: string; kind: string; metadata?: ObjectMeta; data?: string }",
    ),
  ],
];

/** Puts the imports around a source. */
export function sourceFile(source: string): string {
  const imports: readonly (readonly [module: string, names: readonly string[]])[] = [
    ["@kubescaffold/k8s", ["int32", "int64", "JSONValue", "RawExtension"]],
    ["@kubescaffold/k8s/core/v1", ["Container", "ContainerPort", "PersistentVolumeClaim", "PodTemplateSpec"]],
    ["@kubescaffold/k8s/apps/v1", ["DeploymentStatus"]],
    ["@kubescaffold/k8s/meta/v1", ["Condition", "KubernetesObject", "NamespacedObject", "ObjectMeta"]],
  ];
  const lines = imports.flatMap(([module, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`, "u").test(source));
    return used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "${module}";`];
  });
  return `// +groupName=checks.example.com\n${lines.join("\n")}\n\n${source}`;
}

function refused(
  name: string,
  rest: Omit<CheckCase, "name" | "severity" | "refusal"> & { readonly refusal: string },
): CheckCase {
  return { name, severity: "error", ...rest };
}

function lost(name: string, rest: Omit<CheckCase, "name" | "refusal">): CheckCase {
  return { name, ...rest };
}
