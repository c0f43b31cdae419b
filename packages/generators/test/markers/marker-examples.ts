/** An example of a marker: sources, and which part of what comes out of them is shown. */
export interface MarkerExample {
  /** The sources as they are shown; imports and the group are added where they are missing. */
  readonly source: string;
  /** The schema of the property `spec`, the CRD without its schema, or the whole file. */
  readonly shows: "spec" | "crd" | "file";
}

/** An example for each marker that has an effect on what is generated. */
export const MARKER_EXAMPLES: Readonly<Record<string, MarkerExample>> = {
  groupName: crd(`// +groupName=shop.example.com\n${kind()}`),
  versionName: crd(`// +groupName=shop.example.com\n// +versionName=v1beta1\n${kind()}`),
  "kubebuilder:resource": crd(kind("+kubebuilder:resource:path=wigs,shortName=wi;wig,categories=all,scope=Cluster")),
  "kubebuilder:subresource:status": crd(kind("+kubebuilder:subresource:status")),
  "kubebuilder:subresource:scale": crd(
    kind(
      "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector",
    ),
  ),
  "kubebuilder:printcolumn": crd(
    kind('+kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`,description="How large"'),
  ),
  "kubebuilder:selectablefield": crd(kind("+kubebuilder:selectablefield:JSONPath=`.spec.size`")),
  "kubebuilder:storageversion": crd(kind("+kubebuilder:storageversion")),
  "kubebuilder:deprecatedversion": crd(kind('+kubebuilder:deprecatedversion:warning="use v2"')),
  "kubebuilder:metadata": crd(kind('+kubebuilder:metadata:annotations="example.com/owner=shop",labels="team=blue"')),

  "kubebuilder:validation:Maximum": field("size: int32;", "+kubebuilder:validation:Maximum=100"),
  "kubebuilder:validation:Minimum": field("size: int32;", "+kubebuilder:validation:Minimum=1"),
  "kubebuilder:validation:ExclusiveMaximum": field(
    "size: int32;",
    "+kubebuilder:validation:Maximum=100",
    "+kubebuilder:validation:ExclusiveMaximum=true",
  ),
  "kubebuilder:validation:ExclusiveMinimum": field(
    "size: int32;",
    "+kubebuilder:validation:Minimum=0",
    "+kubebuilder:validation:ExclusiveMinimum=true",
  ),
  "kubebuilder:validation:MultipleOf": field("size: int32;", "+kubebuilder:validation:MultipleOf=5"),
  "kubebuilder:validation:MinProperties": field(
    "labels: Record<string, string>;",
    "+kubebuilder:validation:MinProperties=1",
  ),
  "kubebuilder:validation:MaxProperties": field(
    "labels: Record<string, string>;",
    "+kubebuilder:validation:MaxProperties=10",
  ),
  "kubebuilder:validation:MaxLength": field(
    "names: string[];",
    "+kubebuilder:validation:MaxItems=3",
    "+kubebuilder:validation:items:MaxLength=63",
  ),
  "kubebuilder:validation:MinLength": field("name: string;", "+kubebuilder:validation:MinLength=1"),
  "kubebuilder:validation:Pattern": field("name: string;", "+kubebuilder:validation:Pattern=`^[a-z]+$`"),
  "kubebuilder:validation:MaxItems": field("names: string[];", "+kubebuilder:validation:MaxItems=3"),
  "kubebuilder:validation:MinItems": field("names: string[];", "+kubebuilder:validation:MinItems=1"),
  "kubebuilder:validation:UniqueItems": field("names: string[];", "+kubebuilder:validation:UniqueItems=false"),
  "kubebuilder:validation:Enum": field("policy: string;", "+kubebuilder:validation:Enum=Allow;Forbid;Replace"),
  "kubebuilder:validation:Format": field("address: string;", "+kubebuilder:validation:Format=uri"),
  "kubebuilder:validation:Type": field("version: int32;", "+kubebuilder:validation:Type=string"),
  "kubebuilder:validation:XPreserveUnknownFields": field(
    "free: Record<string, string>;",
    "+kubebuilder:validation:XPreserveUnknownFields",
  ),
  "kubebuilder:validation:XEmbeddedResource": field(
    "template: RawExtension;",
    "+kubebuilder:validation:XEmbeddedResource",
  ),
  "kubebuilder:validation:XIntOrString": field(
    "port: IntOrString;",
    "+kubebuilder:validation:XIntOrString",
    "+kubebuilder:validation:MaxLength=5",
  ),
  "kubebuilder:validation:XValidation": type(
    ["min: int32;", "max: int32;"],
    '+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"',
  ),
  "kubebuilder:validation:ExactlyOneOf": type(
    ["file?: string;", "url?: string;"],
    "+kubebuilder:validation:ExactlyOneOf=file;url",
  ),
  "kubebuilder:validation:AtMostOneOf": type(
    ["file?: string;", "url?: string;"],
    "+kubebuilder:validation:AtMostOneOf=file;url",
  ),
  "kubebuilder:validation:AtLeastOneOf": type(
    ["file?: string;", "url?: string;"],
    "+kubebuilder:validation:AtLeastOneOf=file;url",
  ),

  "kubebuilder:validation:Required": field("name?: string;", "+kubebuilder:validation:Required"),
  "kubebuilder:validation:Optional": field("name: string;", "+kubebuilder:validation:Optional"),
  required: field("name?: string;", "+required"),
  optional: field("name: string;", "+optional"),
  "k8s:required": field("name: string;", "+k8s:required"),
  "k8s:optional": field("name: string;", "+k8s:optional"),
  nullable: field("name?: string;", "+nullable"),
  "kubebuilder:default": field("names?: string[];", "+kubebuilder:default={a,b}"),
  default: field("names?: string[];", '+default=["a","b"]'),
  "kubebuilder:example": field("name: string;", "+kubebuilder:example=blue"),
  "kubebuilder:title": field("name: string;", '+kubebuilder:title="The name"'),
  "kubebuilder:externalDocs": field(
    "name: string;",
    '+kubebuilder:externalDocs:url="https://example.com/names",description="On names"',
  ),
  "kubebuilder:validation:EmbeddedResource": field(
    "template: RawExtension;",
    "+kubebuilder:validation:EmbeddedResource",
  ),
  "kubebuilder:validation:Schemaless": field(
    "anything: unknown;",
    "+kubebuilder:validation:Schemaless",
    "+kubebuilder:pruning:PreserveUnknownFields",
  ),
  "k8s:immutable": field("zone?: string;", "+k8s:immutable"),
  "k8s:minimum": field("size: int32;", "+k8s:minimum=1 # fewer make no sense"),
  "k8s:maximum": field("size: int32;", "+k8s:maximum=10"),
  "k8s:maxItems": field("names: string[];", "+k8s:maxItems=3"),
  "k8s:enum": {
    source:
      '/** +k8s:enum */\nexport type Phase = "Pending" | "Running";\n\nexport interface WidgetSpec {\n  phase: Phase;\n}',
    shows: "spec",
  },
  "kubebuilder:pruning:PreserveUnknownFields": field(
    "free: Record<string, string>;",
    "+kubebuilder:pruning:PreserveUnknownFields",
  ),
  listType: field("names: string[];", "+listType=set"),
  "k8s:listType": field("names: string[];", "+k8s:listType=atomic"),
  listMapKey: field("ports: { name: string; port: int32 }[];", "+listType=map", "+listMapKey=name"),
  "k8s:listMapKey": field("ports: { name: string; port: int32 }[];", "+k8s:listType=map", "+k8s:listMapKey=name"),
  mapType: field("labels: Record<string, string>;", "+mapType=atomic"),
  structType: field("selector: { name: string };", "+structType=atomic"),
  "k8s:unionMember": {
    source:
      "export interface WidgetSpec {\n  /** +k8s:unionMember */\n  file?: string;\n  /** +k8s:unionMember */\n  url?: string;\n}",
    shows: "spec",
  },
  "k8s:update": field("zone?: string;", "+k8s:update=NoModify", "+k8s:update=NoUnset"),
  "k8s:eachVal": field("names: string[];", "+k8s:eachVal=+k8s:maxLength=63"),
  "k8s:eachKey": field("labels: Record<string, string>;", "+k8s:eachKey=+k8s:maxLength=63"),
  "k8s:subfield": field("owner: { name: string };", "+k8s:subfield(name)=+k8s:maxLength=63"),
  "kubescaffold:schema": field("size: int32;", '+kubescaffold:schema={"format":null,"minimum":1}'),

  "kubebuilder:rbac": {
    source:
      "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch\n// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get",
    shows: "file",
  },
  "kubebuilder:webhook": {
    source:
      "// +kubebuilder:webhook:path=/validate-widgets,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=widgets,verbs=create;update,versions=v1,name=vwidget.example.com,admissionReviewVersions=v1",
    shows: "file",
  },
  "kubebuilder:webhookconfiguration": {
    source:
      "// +kubebuilder:webhookconfiguration:mutating=false,name=widgets\n// +kubebuilder:webhook:path=/validate-widgets,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=widgets,verbs=create,versions=v1,name=vwidget.example.com,admissionReviewVersions=v1",
    shows: "file",
  },
};

function field(property: string, ...markers: readonly string[]): MarkerExample {
  return { source: `export interface WidgetSpec {\n${comment(markers, "  ")}\n  ${property}\n}`, shows: "spec" };
}

function type(properties: readonly string[], ...markers: readonly string[]): MarkerExample {
  const body = properties.map((each) => `  ${each}`).join("\n");
  return { source: `${comment(markers, "")}\nexport interface WidgetSpec {\n${body}\n}`, shows: "spec" };
}

function crd(source: string): MarkerExample {
  return { source, shows: "crd" };
}

function kind(...markers: readonly string[]): string {
  const head = markers.length === 0 ? "" : `${comment(markers, "")}\n`;
  const type = markers.some((each) => each.includes("scope=Cluster")) ? "KubernetesObject" : "NamespacedObject";
  return `${head}export interface Widget extends ${type} {\n  spec: { size: int32; replicas?: int32 };\n  status?: { replicas?: int32; selector?: string };\n}`;
}

function comment(markers: readonly string[], indent: string): string {
  const [only] = markers;
  if (markers.length === 1 && only !== undefined) return `${indent}/** ${only} */`;
  return [`${indent}/**`, ...markers.map((marker) => `${indent} * ${marker}`), `${indent} */`].join("\n");
}
